import { GRUPO_BLOQUEADO } from '../src/domain/rede/grupos.regras.ts';
import { LOGINS_COMPARTILHADOS, PERFIS } from './perfis.ts';
import type { ContratoGerado, Linha } from './modelo.ts';
import type { PerfilDemo } from './perfis.ts';
import { semAcentos } from './pessoas.ts';
import { segredo } from './segredos.ts';

/** What it means to be in the group of the blocked, the same in all providers: no access. */
export const BLOQUEIO: Linha = { groupname: GRUPO_BLOQUEADO, attribute: 'Auth-Type', op: ':=', value: 'Reject' };

/** The group of a plan: it bears the provider's short name, because names of groups are shared by all. */
export function grupoDoPlano(perfil: PerfilDemo, nome: string): string {
  return `${perfil.apelido}-${semAcentos(nome).replaceAll(' ', '-')}`;
}

/** A provider's logins, passwords and groups as FreeRADIUS reads them, by table; its tables have no tenant. */
export function gerarRadius(perfil: PerfilDemo, contratos: readonly ContratoGerado[]): Map<string, Linha[]> {
  const radcheck: Linha[] = [];
  const radreply: Linha[] = [];
  const radusergroup: Linha[] = [];
  for (const { linha } of contratos) {
    const { login, situacao, ip } = linha;
    if (login === null || (situacao !== 'ativo' && situacao !== 'bloqueado')) continue;
    // These tables have a single space of names: a login of both providers fits once, for the first.
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
