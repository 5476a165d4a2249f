#!/usr/bin/env node
import { prepareOrExit } from './prepare.mjs';

await prepareOrExit({ quiet: true });
// By name, so that these scripts can be checked before the first build.
const cli = '../dist/src/cli.js';
await import(cli);
