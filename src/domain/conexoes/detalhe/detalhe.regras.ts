import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import { estadoDaConexao } from '../estado.regras.ts';
import { QUEDAS_PROXIMAS_MS, interpretarSessao, sessoesDesde } from '../sessoes.regras.ts';
import type { ConexaoDetalhe, DetalheRow } from './detalhe.types.ts';

/** What of a line's state does not depend on the days over which drops are counted. */
type LinhaAgora = Omit<ConexaoDetalhe, 'quedas7Dias' | 'quedas30Dias'> & {
  /** The last drop, where the session fell silent and nobody has counted it yet; null of one near a drop that counts already. */
  readonly porContar: Date | null;
};

export function linhaAgora(row: DetalheRow, agora: Date, intervaloPadraoSegundos: number): LinhaAgora {
  const ouvidaEm = instante(row.conexao_ouvida_em);
  const conexao = estadoDaConexao({
    login: row.login,
    temRegistro: row.conexao_contrato_id !== null,
    ouvidaEm,
    intervaloSegundos: row.intervalo_segundos,
    intervaloPadraoSegundos,
    agora,
  });
  const loginDesde = instante(row.login_desde);
  const ultima = row.radacctid === null ? [] : [interpretarSessao(row, agora, intervaloPadraoSegundos)];
  const [sessao = null] = sessoesDesde(ultima, loginDesde, agora);
  const online = conexao === 'online';
  const contada = instante(row.queda_em);
  // The aggregation empties the record's `ouvida_em` as it counts a session that went stale: one that still has it was not counted yet. Where
  // that session is not there any more, it was closed in the meantime, and its stop says what it was.
  const parada = conexao === 'offline' && sessao?.parada === true && sessao.ouvidaEm?.getTime() === ouvidaEm?.getTime();
  const silenciou = parada ? sessao.fim : null;
  const perto = silenciou !== null && contada !== null && longe(silenciou, contada) <= QUEDAS_PROXIMAS_MS;
  const porContar = perto ? null : silenciou;
  return {
    conexao,
    fonte: conexao === 'desconhecido' ? 'desconhecida' : 'radius',
    desde: online ? maisTarde(instante(row.sessao_desde) ?? sessao?.inicio ?? null, loginDesde) : (sessao?.fim ?? null),
    ip: online ? endereco(row.framedipaddress) : null,
    ipv6Prefixo: online ? (endereco(row.delegatedipv6prefix) ?? endereco(row.framedipv6prefix)) : null,
    mac: sessao === null ? null : lerMac(row.callingstationid),
    servidor: nome(row.servidor),
    ultimaQueda:
      porContar === null
        ? contada === null
          ? null
          : { em: contada, causa: row.queda_causa }
        : { em: porContar, causa: sessao?.causa ?? null },
    porContar,
  };
}

const longe = (a: Date, b: Date): number => Math.abs(a.getTime() - b.getTime());

/** The later of two moments, of which the second may not be known; null where the first is not. */
const maisTarde = (um: Date | null, outro: Date | null): Date | null =>
  um !== null && outro !== null && outro > um ? outro : um;

const instante = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));

const nome = (texto: string | null): string | null => (texto === null || texto === '' ? null : texto);

/** NASes that have none leave the column empty, or write this one. */
const endereco = (texto: string | null): string | null => (texto === '0.0.0.0' ? null : nome(texto));

/** Six pairs of hexadecimal digits, however they are separated, as `D4:6E:0E:11:22:33`; null of a circuit's or a phone's name. */
function lerMac(texto: string | null): string | null {
  if (texto === null || !/^(?:[0-9a-f]{2}[-:]?){5}[0-9a-f]{2}$|^(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}$/i.test(texto))
    return null;
  return (texto.replaceAll(/[^0-9a-f]/gi, '').match(/../g) ?? []).join(':').toUpperCase();
}
