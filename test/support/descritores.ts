import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

const ESCUTA = '0A';

/** How many connections to some local ports these processes hold: the descriptors of theirs, as Linux counts them. */
export function conexoesAbertas(pids: readonly number[], portas: readonly number[]): number {
  const inodes = new Set<string>();
  for (const tabela of ['tcp', 'tcp6']) {
    for (const linha of readFileSync(`/proc/net/${tabela}`, 'utf8').trim().split('\n').slice(1)) {
      const campos = linha.trim().split(/\s+/);
      const [, local = '', , estado, , , , , , inode = ''] = campos;
      const porta = Number.parseInt(local.split(':')[1] ?? '', 16);
      if (estado !== ESCUTA && portas.includes(porta)) inodes.add(inode);
    }
  }
  return pids.flatMap(descritoresDe).filter((alvo) => inodes.has(/^socket:\[(\d+)\]$/.exec(alvo)?.[1] ?? '')).length;
}

function descritoresDe(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      // Closed since it was listed.
      return '';
    }
  });
}
