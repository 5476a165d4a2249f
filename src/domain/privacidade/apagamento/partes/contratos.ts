import { contratoTag } from '../../../tags.ts';
import type { Caso, ContratoDoTitularRow, Feito, Parte } from '../apagamento.types.ts';
import { PRAZOS, guardar } from '../prazos.regras.ts';
import { ENDERECO_VAZIO, temEndereco } from './cadastro.ts';

const temAcesso = ({ login, mac, ip, ipv6_prefixo: prefixo }: ContratoDoTitularRow): boolean =>
  [login, mac, ip, prefixo].some((dado) => dado !== null);

/** Where the line was and why it ended goes at once; the login and the addresses that say whose a session was, a year after it. */
async function apagar({ w, contratos, hoje, diaDe, desde }: Caso): Promise<Feito> {
  if (contratos.length === 0) return { apagados: [], guardados: [] };
  const ids = contratos.map(({ id }) => id);
  const comAcesso = contratos
    .filter(temAcesso)
    .map(({ id, cancelado_em: fim }) => ({ id, ate: PRAZOS.conexao.ate(diaDe(fim ?? desde)) }));
  const passados = comAcesso.filter(({ ate }) => ate < hoje).map(({ id }) => id);
  const soltos = contratos.filter((contrato) => temEndereco(contrato) || contrato.motivo !== null);
  if (soltos.length > 0) {
    const quais = soltos.map(({ id }) => id);
    await w.update('contratos', (q) => void q.whereIn('id', quais), { ...ENDERECO_VAZIO, motivo: null });
  }
  if (passados.length > 0) {
    const nada = { login: null, mac: null, ip: null, ipv6_prefixo: null };
    await w.update('contratos', (q) => void q.whereIn('id', passados), nada);
  }
  const textos = await w.update(
    'contratos_historico',
    (q) => void q.whereIn('contrato_id', ids).whereNotNull('descricao'),
    { descricao: null },
  );
  const motivos = await w.update(
    'desbloqueios_confianca',
    (q) => void q.whereIn('contrato_id', ids).whereNotNull('motivo'),
    { motivo: null },
  );
  const apagados = [
    ...(contratos.some(temEndereco) ? ['contratos.endereco'] : []),
    ...(contratos.some(({ motivo }) => motivo !== null) ? ['contratos.motivo'] : []),
    ...(passados.length > 0 ? ['contratos.acesso'] : []),
    ...(textos > 0 ? ['contratos.historico'] : []),
    ...(motivos > 0 ? ['desbloqueios.motivo'] : []),
  ];
  if (apagados.length > 0) w.touch(...ids.map(contratoTag));
  const dias = comAcesso.map(({ ate }) => ate).filter((ate) => ate >= hoje);
  const guardado = guardar('contratos.acesso', PRAZOS.conexao.porque, dias);
  return { apagados, guardados: guardado === null ? [] : [guardado] };
}

export const DOS_CONTRATOS: Parte = {
  tabelas: ['contratos', 'contratos_historico', 'desbloqueios_confianca'],
  apagar,
};
