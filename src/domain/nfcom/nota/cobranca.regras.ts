import { codigoBarras } from '../../../brazil/boleto/boleto.ts';
import { hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { FaturaDaNota } from '../../../brazil/nfcom/base/nota.types.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import { contaDaFatura } from '../../cobradores/cobradores.types.ts';
import { conferirBoleto } from '../../faturas/boleto.regras.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { ContextoDaMontagem } from './contexto.ts';
import type { FaturaFiscalRow } from './montagem.queries.ts';

/** The bill's side. The line is computed of the boleto's bars, whatever was paid of it by now. */
export function cobrancaDe(
  provedor: Provedor,
  { configuracao }: ContextoDaMontagem,
  row: FaturaFiscalRow,
  pix: string | null,
): FaturaDaNota {
  const { boleto } = conferirBoleto(
    { ...row, valor_pago: '0.00', abatido: '0.00' },
    contaDaFatura(provedor.contas, row.cobrador_id).boleto,
  );
  const fixa = configuracao.semBoleto === 'linha_fixa' ? configuracao.linhaFixa : null;
  // The month that was billed; of an invoice that does not say it, the one in which it was issued.
  const mes = row.competencia ?? hojeEm(provedor.fusoHorario, fromDatabaseTime(row.emitida_em));
  const inicio = `${mes.slice(0, 8)}01` as Data;
  const semMes = row.contrato_id === null && row.competencia === null;
  return {
    competencia: mes.slice(0, 4) + mes.slice(5, 7),
    vencimento: row.vencimento as Data,
    periodo: semMes ? null : { inicio, fim: somarDias(`${somarDias(inicio, 32).slice(0, 8)}01` as Data, -1) },
    linhaDigitavel: boleto?.linhaDigitavel ?? (fixa !== null && codigoBarras(fixa) !== null ? fixa : null),
    debitoAutomatico: null,
    pix,
  };
}
