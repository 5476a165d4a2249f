import type { Knex } from 'knex';
import { esquecerSenhasDoTitular } from '../../../contratos/cadastro/senhas-importadas.service.ts';
import { largarAcessos } from '../../../rede/acesso/acesso.service.ts';
import { contratoTag } from '../../../tags.ts';
import type { Caso, ContratoDoTitularRow, Feito, Parte } from '../apagamento.types.ts';
import { PRAZOS, guardar } from '../prazos.regras.ts';
import { ENDERECO_VAZIO, temEndereco } from './cadastro.ts';

const temAcesso = ({ login, mac, ip, ipv6_prefixo: prefixo }: ContratoDoTitularRow): boolean =>
  [login, mac, ip, prefixo].some((dado) => dado !== null);

/** A line on which there may have been sessions, of which records are kept, also where the login was given up since. */
const conectou = (contrato: ContratoDoTitularRow): boolean => contrato.ativado_em !== null || temAcesso(contrato);

/** Passwords of lines that are over: nobody gets in by them any more, and nothing has them kept. The login is, for a time. */
async function apagarSenhas({ w, titular, contratos, agora }: Caso): Promise<boolean> {
  const ids = contratos.map(({ id }) => id);
  const guardadas = await esquecerSenhasDoTitular(w, ids);
  // Later on there is none, and sessions end once.
  const daRede = titular.apagado_em === null ? await largarAcessos(w, contratos, agora) : 0;
  return guardadas + daRede > 0;
}

/** Where the line was and why it ended goes at once; the login and the addresses that say whose a session was, a year after it. */
async function apagar(caso: Caso): Promise<Feito> {
  const { w, contratos, hoje, diaDe, desde } = caso;
  if (contratos.length === 0) return { apagados: [], guardados: [] };
  const ids = contratos.map(({ id }) => id);
  const linhas = contratos.filter(conectou).map((contrato) => {
    const ate = PRAZOS.conexao.ate(diaDe(contrato.cancelado_em ?? desde));
    return { id: contrato.id, ate, acesso: temAcesso(contrato) };
  });
  const passados = linhas.filter(({ ate, acesso }) => acesso && ate < hoje).map(({ id }) => id);
  const soltos = contratos.filter((contrato) => temEndereco(contrato) || contrato.motivo !== null);
  if (soltos.length > 0) {
    const quais = soltos.map(({ id }) => id);
    await w.update('contratos', (q) => void q.whereIn('id', quais), { ...ENDERECO_VAZIO, motivo: null });
  }
  if (passados.length > 0) {
    const nada = { login: null, mac: null, ip: null, ipv6_prefixo: null };
    await w.update('contratos', (q) => void q.whereIn('id', passados), nada);
    const deles = (q: Knex.QueryBuilder): void => {
      q.whereIn('contrato_id', passados).whereNotNull('login_de_origem');
    };
    await w.update('importacao_linhas', deles, { login_de_origem: null });
  }
  const senhas = await apagarSenhas(caso);
  const apagados = [
    ...(contratos.some(temEndereco) ? ['contratos.endereco'] : []),
    ...(contratos.some(({ motivo }) => motivo !== null) ? ['contratos.motivo'] : []),
    ...(passados.length > 0 ? ['contratos.acesso'] : []),
    ...(senhas ? ['contratos.senha'] : []),
  ];
  if (apagados.length > 0) w.touch(...ids.map(contratoTag));
  const guardadas = linhas.filter(({ ate }) => ate >= hoje);
  const dado = guardadas.some(({ acesso }) => acesso) ? 'contratos.acesso' : 'registros_de_conexao';
  const dias = guardadas.map(({ ate }) => ate);
  const guardado = guardar(dado, PRAZOS.conexao.porque, dias);
  return { apagados, guardados: guardado === null ? [] : [guardado] };
}

export const DOS_CONTRATOS: Parte = {
  tabelas: ['contratos', 'importacao_senhas', 'radcheck', 'radreply', 'radusergroup'],
  apagar,
};
