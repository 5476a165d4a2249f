import type { SituacaoContrato } from '../src/domain/contratos/contratos.types.ts';
import { LOGINS_COMPARTILHADOS } from './perfis.ts';
import type { PerfilDemo } from './perfis.ts';
import { semAcentos } from './pessoas.ts';
import type { Sorteio } from './sorteio.ts';

/** How a contract shows in the network. */
export interface Identidade {
  readonly login: string | null;
  readonly mac: string | null;
  readonly ip: string | null;
}

/** Logins, hardware addresses and fixed IPs, unique in the provider. */
export function createIdentidades(
  perfil: PerfilDemo,
  sorteio: Sorteio,
): { proxima(nome: string, situacao: SituacaoContrato): Identidade } {
  // FreeRADIUS's logins tell neither case nor tenant: the provider's short name keeps them apart.
  const compartilhados = [...LOGINS_COMPARTILHADOS];
  const repetidos = new Map<string, number>();
  let ips = 0;

  function login(nome: string, situacao: SituacaoContrato): string | null {
    if (situacao === 'pendente' || sorteio.chance(0.01)) return null;
    const compartilhado = situacao === 'ativo' ? compartilhados.shift() : undefined;
    if (compartilhado !== undefined) return compartilhado;
    const partes = semAcentos(nome).split(' ');
    const base = `${partes[0] ?? 'cliente'}.${partes.at(-1) ?? 'cliente'}`;
    const vezes = (repetidos.get(base) ?? 0) + 1;
    repetidos.set(base, vezes);
    return `${base}${vezes === 1 ? '' : vezes}@${perfil.apelido}`;
  }

  function mac(): string {
    const fim = [0, 1, 2].map(() => sorteio.inteiro(0, 255).toString(16).padStart(2, '0').toUpperCase());
    return `${sorteio.escolher(['48:8F:5A', 'B8:69:F4', '2C:C8:1B', 'D8:47:32'])}:${fim.join(':')}`;
  }

  function ipFixo(): string {
    ips += 1;
    return `10.${perfil.semente % 100}.${Math.floor(ips / 250)}.${(ips % 250) + 2}`;
  }

  return {
    proxima(nome, situacao) {
      const usuario = login(nome, situacao);
      return {
        login: usuario,
        mac: usuario === null || sorteio.chance(0.05) ? null : mac(),
        ip: usuario !== null && sorteio.chance(0.06) ? ipFixo() : null,
      };
    },
  };
}
