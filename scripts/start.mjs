import { prepareOrExit } from './prepare.mjs';

await prepareOrExit();
// In this very process, so that signals reach the service without anybody passing them on.
process.argv.splice(2, process.argv.length, 'start');
const cli = '../dist/src/cli.js';
await import(cli);
