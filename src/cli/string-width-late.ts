/** Its tables of emoji take longer to make than `belay list` takes otherwise, and most texts have none (docs/decisions/0007). */
export default function stringWidth(text: string): number {
  return (require('string-width') as typeof import('string-width')).default(text);
}
