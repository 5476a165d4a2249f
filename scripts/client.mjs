import { prepareOrExit } from './prepare.mjs';

await prepareOrExit();
// By name, so that these scripts can be checked before the first build.
const main = '../dist/client/generate/main.js';
await import(main);
