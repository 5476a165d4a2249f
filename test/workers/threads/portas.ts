import { portasAbertas } from './pedacos.ts';

/** How many ports of `pedacos` are open in the thread that runs it. */
// oxlint-disable-next-line import/no-default-export -- what piscina calls
export default function portas(): number {
  return portasAbertas();
}
