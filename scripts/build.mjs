import { prepareOrExit } from './prepare.mjs';

await prepareOrExit({ force: true });
