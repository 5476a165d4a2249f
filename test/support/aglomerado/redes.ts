import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findBinary } from '../../../src/local/binaries/find-binary.ts';
import { ate } from '../espera.ts';

const run = promisify(execFile);

/** A network of its own, with an address that only the others of its kind know. */
export interface Rede {
  readonly endereco: string;
  /** What runs a program in it. */
  readonly dentro: readonly [string, ...string[]];
  /** It hears nothing of the others, nor they of it; what goes by sockets of files goes on. */
  readonly desligar: () => Promise<void>;
  readonly ligar: () => Promise<void>;
  /** Leads who connects to a socket of that name to a port in here, and says where that is as HAProxy takes an address. */
  levar(porta: number, socket: string): string;
}

/** To the server it must come as a connection by TCP: by its own socket MySQL asks for a password that is not hidden. */
const LEVAR = `
  const [, porta, socket] = process.argv;
  const { createServer, connect } = require('node:net');
  createServer((daqui) => {
    const dentro = connect(Number(porta), '127.0.0.1');
    for (const [um, outro] of [[daqui, dentro], [dentro, daqui]]) {
      um.on('error', () => {}).on('close', () => outro.destroy()).pipe(outro);
    }
  }).listen(socket);`;

/** Networks joined by a switch, gone with this process; null where the system lets it make none. */
export async function criarRedes(quantas: number): Promise<{ redes: readonly Rede[]; fechar(): void } | null> {
  if (['unshare', 'nsenter', 'ip'].some((programa) => findBinary([programa]) === undefined)) return null;
  const daqui = Array.from({ length: quantas + 1 }, () => iniciar('unshare', ['--net', 'sleep', 'infinity']));
  const fechar = (): void => {
    for (const iniciado of daqui) iniciado.kill('SIGKILL');
  };
  const [comutador, ...nos] = (await Promise.all(daqui.map(espacoDe))).filter((espaco) => espaco !== null);
  if (!comutador || nos.length < quantas) {
    fechar();
    return null;
  }
  const redes = nos.map(({ dentro }, n): Rede => ({
    endereco: `10.77.0.${n + 1}`,
    dentro,
    desligar: async () => comutador.ip(`link set porta${n} down`),
    ligar: async () => comutador.ip(`link set porta${n} up`),
    levar(porta, socket) {
      const [comando, rede] = dentro;
      daqui.push(iniciar(comando, [rede, process.execPath, '-e', LEVAR, String(porta), socket]));
      return `unix@${socket}`;
    },
  }));
  try {
    await comutador.ip('link add comutador type bridge');
    await comutador.ip('link set comutador up');
    for (const [n, { pid, ip }] of nos.entries()) {
      await comutador.ip(`link add porta${n} type veth peer name eth0 netns ${pid}`);
      await comutador.ip(`link set porta${n} master comutador up`);
      await ip('link set lo up');
      await ip(`address add ${redes[n]?.endereco}/24 dev eth0`);
      await ip('link set eth0 up');
    }
  } catch {
    fechar();
    return null;
  }
  return { redes, fechar };
}

/** The namespace in which a process stands, which lasts as long as it does and what was begun there; null where it could not make one. */
async function espacoDe(guarda: ChildProcess) {
  const daqui = await readlink('/proc/self/ns/net');
  const lugar = `/proc/${guarda.pid}/ns/net`;
  const saiu = once(guarda, 'exit').then(() => false);
  const entrou = ate(async () => (await readlink(lugar)) !== daqui).then(
    () => true,
    () => false,
  );
  if (!(await Promise.race([entrou, saiu]))) return null;
  const dentro = ['nsenter', `--net=${lugar}`] as const;
  const ip = async (comando: string): Promise<void> =>
    void (await run(dentro[0], [dentro[1], 'ip', ...comando.split(' ')]));
  return { pid: guarda.pid, dentro, ip };
}

const iniciados = new Set<ChildProcess>();
process.once('exit', () => {
  for (const iniciado of iniciados) iniciado.kill('SIGKILL');
});

/** Begins a program that does not outlive this process. */
function iniciar(comando: string, args: readonly string[]): ChildProcess {
  const iniciado = spawn(comando, args, { stdio: 'ignore' });
  iniciados.add(iniciado);
  iniciado.once('exit', () => iniciados.delete(iniciado));
  return iniciado;
}
