import type { Data } from '../../../brazil/calendario/datas.ts';
import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import type { LinhaFeita, Parte } from './estado.ts';
import { chaveDe } from './titulo.regras.ts';

const CHAVE = columns<{ chave: string }>('boletos_tarifas', { chave: true });

/** Fees that are told by themselves: the provider's cost. Those of a settlement stand with it. */
export async function tarifar(w: Write, parte: Parte, feitas: readonly LinhaFeita[]): Promise<void> {
  const { convenioId, convenio, retornoId, dia } = parte;
  const novas = new Map<string, { feita: LinhaFeita; dia: Data }>();
  for (const feita of feitas) {
    const { ocorrencia } = feita;
    const valor = ocorrencia.tarifa;
    if (ocorrencia.classe === 'liquidado' || ocorrencia.classe === 'ilegivel' || valor <= 0) continue;
    const em = ocorrencia.pagoEm ?? dia;
    const chave = chaveDe(convenioId, convenio, ocorrencia, em, valor);
    if (ocorrencia.classe === 'tarifa') feita.resultado = novas.has(chave) ? 'repetida' : 'tarifa';
    if (!novas.has(chave)) novas.set(chave, { feita, dia: em });
  }
  if (novas.size === 0) return;
  const sabidas = await rowsOf(w.from('boletos_tarifas').whereIn('chave', [...novas.keys()]), CHAVE);
  for (const { chave } of sabidas) {
    const sabida = novas.get(chave);
    if (sabida?.feita.ocorrencia.classe === 'tarifa') sabida.feita.resultado = 'repetida';
    novas.delete(chave);
  }
  if (novas.size === 0) return;
  await w.insert(
    'boletos_tarifas',
    [...novas].map(([chave, { feita, dia: em }]) => ({
      convenio_id: convenioId,
      retorno_id: retornoId,
      boleto_id: feita.titulo?.row.id ?? null,
      chave,
      dia: em,
      valor: escreverDinheiro(feita.ocorrencia.tarifa),
    })),
    { soughtBefore: true },
  );
}
