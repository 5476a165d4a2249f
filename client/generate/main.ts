import { writeModules } from './generate.ts';

for (const file of await writeModules()) process.stdout.write(`${file}\n`);
