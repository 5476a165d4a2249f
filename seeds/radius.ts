import { GRUPO_BLOQUEADO } from '../src/domain/rede/grupos.regras.ts';
import { LOGINS_COMPARTILHADOS, PERFIS } from './perfis.ts';
import type { ContratoGerado, Linha } from './modelo.ts';
import type { PerfilDemo } from './perfis.ts';
import { semAcentos } from './pessoas.ts';
import { segredo } from './segredos.ts';

/** O que quer dizer estar no grupo dos bloqueados, o mesmo em todos os provedores: não entrar. */
export const BLOQUEIO: Linha = { groupname: GRUPO_BLOQUEADO, attribute: 'Auth-Type', op: ':=', value: 'Reject' };

/** O grupo de um plano: leva o apelido do provedor, porque os nomes de grupo são de todos. */
export function grupoDoPlano(perfil: PerfilDemo, nome: string): string {
  return `${perfil.apelido}-${semAcentos(nome).replaceAll(' ', '-')}`;
}

/** Logins, senhas e grupos de um provedor como o FreeRADIUS os lê, por tabela; as tabelas dele não têm inquilino. */
export function gerarRadius(perfil: PerfilDemo, contratos: readonly ContratoGerado[]): Map<string, Linha[]> {
  const radcheck: Linha[] = [];
  const radreply: Linha[] = [];
  const radusergroup: Linha[] = [];
  for (const { linha } of contratos) {
    const { login, situacao, ip } = linha;
    if (login === null || (situacao !== 'ativo' && situacao !== 'bloqueado')) continue;
    // Estas tabelas têm um só espaço de nomes: um login dos dois provedores só cabe uma vez, no primeiro.
    if (perfil !== PERFIS[0] && LOGINS_COMPARTILHADOS.includes(login)) continue;
    const senha = segredo(9);
    radcheck.push({ username: login, attribute: 'Cleartext-Password', op: ':=', value: senha });
    if (ip !== null) radreply.push({ username: login, attribute: 'Framed-IP-Address', op: '=', value: ip });
    const plano = perfil.planos[linha.plano_id]?.nome ?? '';
    const groupname = situacao === 'bloqueado' ? GRUPO_BLOQUEADO : grupoDoPlano(perfil, plano);
    radusergroup.push({ username: login, groupname, priority: situacao === 'bloqueado' ? 0 : 1 });
  }
  const radgroupreply = perfil.planos.map(({ nome, download, upload }) => ({
    groupname: grupoDoPlano(perfil, nome),
    attribute: 'Mikrotik-Rate-Limit',
    op: '=',
    value: `${upload}M/${download}M`,
  }));
  const nas = perfil.nas.map((nasname, i) => ({
    nasname,
    shortname: `${perfil.apelido}-bng-${i + 1}`,
    type: 'mikrotik',
    secret: segredo(18),
    description: `${perfil.nome}, concentrador ${i + 1}`,
  }));
  return new Map<string, Linha[]>(Object.entries({ nas, radcheck, radreply, radusergroup, radgroupreply }));
}
