import { fileURLToPath } from 'node:url';
import { modelTest } from './model-story.ts';

modelTest(fileURLToPath(import.meta.url), 901);
