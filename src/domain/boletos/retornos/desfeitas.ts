import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import type { Write } from '../../escrita.ts';
import { desfazerBoletos } from '../../recebimentos/boletos/boletos.service.ts';
import { reabrir } from './estado.ts';
import type { LinhaFeita, Parte } from './estado.ts';
import { chaveDe } from './titulo.regras.ts';
import { createTitulosDoRetornoQueries } from './titulos.queries.ts';

/**
 * What a bank takes back: of the settlements of the number that were told before that line, and not after the day that it says, the one of
 * that amount, or the last. Each undoing is noted with its settlement, so that one that is told again, by another movement or another file,
 * takes back nothing else.
 */
export async function desfazer(w: Write, parte: Parte, feitas: readonly LinhaFeita[]): Promise<void> {
  const { provedor, convenioId, convenio, cobradorId, retornoId, agora, dia } = parte;
  const desfeitas = feitas.filter(({ ocorrencia }) => ocorrencia.classe === 'desfeito');
  if (desfeitas.length === 0) return;
  const queries = createTitulosDoRetornoQueries(w, convenioId);
  const numeros = [...new Set(desfeitas.map(({ ocorrencia }) => ocorrencia.nossoNumero))];
  const prefixo = `${convenio.banco}.${convenioId}.`;
  const todas = (await queries.liquidacoes(cobradorId, numeros)).filter(({ chave }) => chave.startsWith(prefixo));
  const sabidas = new Set(todas.flatMap(({ desfeito_por: por }) => por ?? []));
  const porNumero = groupBy(
    todas.filter(({ desfeito_em: em }) => em === null),
    ({ nosso_numero: numero }) => numero,
  );
  const tomadas = new Map<string, { readonly id: number; readonly por: string }>();
  const chaves = new Map<LinhaFeita, string>();
  for (const feita of desfeitas) {
    const { nossoNumero, valorPago, pagoEm, linha } = feita.ocorrencia;
    const por = chaveDe(convenioId, convenio, feita.ocorrencia, pagoEm ?? dia, valorPago);
    if (sabidas.has(por)) {
      feita.resultado = 'repetida';
      continue;
    }
    const possiveis = (porNumero.get(nossoNumero) ?? []).filter(
      (dita) =>
        !tomadas.has(dita.chave) &&
        (pagoEm === null || dita.pago_no_dia <= pagoEm) &&
        !(dita.arquivo_id === retornoId && dita.linha > linha),
    );
    const dita = possiveis.find(({ valor }) => lerDinheiro(valor) === valorPago) ?? possiveis[0];
    if (dita === undefined) continue;
    sabidas.add(por);
    tomadas.set(dita.chave, { id: dita.id, por });
    chaves.set(feita, dita.chave);
  }
  if (chaves.size === 0) return;
  const resultados = await desfazerBoletos(w, provedor, [...tomadas.keys()], agora);
  await w.updateEach(
    'boletos_recebidos',
    [...tomadas.values()].map(({ id }) => id),
    { desfeito_por: [...tomadas.values()].map(({ por }) => por) },
  );
  const porChave = new Map(resultados.map(({ chave, resultado }) => [chave, resultado]));
  const faturas = [...chaves.keys()].flatMap(({ titulo }) => titulo?.row.fatura_id ?? []);
  const comOutro = await queries.comOutroVivo(faturas);
  for (const [feita, chave] of chaves) {
    if (porChave.get(chave) !== 'desfeita') continue;
    feita.resultado = 'desfeita';
    const { titulo } = feita;
    const aindaPago = (porNumero.get(feita.ocorrencia.nossoNumero) ?? []).some((dita) => !tomadas.has(dita.chave));
    if (titulo !== undefined && !aindaPago) reabrir(titulo, convenio, comOutro.has(titulo.row.fatura_id));
  }
}
