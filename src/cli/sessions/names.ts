/** The parts of `belay sessions`: what TAB offers, without loading any of them. */
export const PART_NAMES = [
  'list',
  'browse',
  'show',
  'search',
  'export',
  'import',
  'stats',
  'brief',
  'rename',
  'delete',
  'prune',
  'compact',
  'reindex',
] as const;
