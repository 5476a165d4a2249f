import { desfazPagamentos } from '../../../brazil/cnab/retorno/classes.ts';
import type { Ocorrencia } from '../../../brazil/cnab/convenio.types.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import type { Write } from '../../escrita.ts';
import { desfazerBoletos } from '../../recebimentos/boletos/boletos.service.ts';
import { reabrir } from './estado.ts';
import type { LinhaFeita, Parte } from './estado.ts';
import { chaveDe } from './titulo.regras.ts';
import { createTitulosDoRetornoQueries } from './titulos.queries.ts';

/** An undoing, of this file or of one that came before its settlement. */
interface Estorno extends Pick<LinhaFeita, 'titulo' | 'resultado'> {
  readonly ocorrencia: Pick<Ocorrencia, 'nossoNumero' | 'movimento' | 'vez' | 'valorPago' | 'pagoEm' | 'linha'>;
  /** It came in an earlier file than what it undoes. */
  readonly adiantado: boolean;
}

/** So long a settlement is waited for that was told as undone before it was told. */
const DIAS_DE_ESPERA = 60;

/** What earlier files said was undone of numbers that this part tells the settlements of: files may be uploaded in any order. */
async function adiantados(w: Write, parte: Parte, feitas: readonly LinhaFeita[]): Promise<Estorno[]> {
  const { convenio, convenioId, retornoId, agora } = parte;
  if (!desfazPagamentos(convenio.banco, convenio.formato)) return [];
  const pagas = new Map(
    feitas.flatMap(({ ocorrencia: { classe, nossoNumero }, titulo }) =>
      classe === 'liquidado' ? [[nossoNumero, titulo] as const] : [],
    ),
  );
  const desde = new Date(agora.getTime() - DIAS_DE_ESPERA * 86_400_000);
  const rows = await createTitulosDoRetornoQueries(w, convenioId).aDesfazer([...pagas.keys()], desde, retornoId);
  return rows.map(({ numero, movimento, valor, dia }) => ({
    ocorrencia: {
      nossoNumero: numero,
      movimento,
      vez: 1,
      valorPago: lerDinheiro(valor),
      pagoEm: dia as Data | null,
      linha: Number.MAX_SAFE_INTEGER,
    },
    titulo: pagas.get(numero),
    resultado: 'a_desfazer',
    adiantado: true,
  }));
}

/**
 * What a bank takes back: of the settlements of the number that were told before that line, and not after the day that it says, the one of
 * that amount, or the last. Each undoing is noted with its settlement, so that one that is told again, by another movement or another file,
 * takes back nothing else. One whose settlement nobody has told of waits for it.
 */
export async function desfazer(w: Write, parte: Parte, feitas: readonly LinhaFeita[]): Promise<void> {
  const { provedor, convenioId, convenio, cobradorId, retornoId, agora, dia } = parte;
  const daqui = feitas.filter(({ ocorrencia }) => ocorrencia.classe === 'desfeito');
  const desfeitas: Estorno[] = [
    ...(await adiantados(w, parte, feitas)),
    ...daqui.map((feita) => Object.assign(feita, { adiantado: false })),
  ];
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
  const chaves = new Map<Estorno, string>();
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
    const igual = possiveis.find(({ valor }) => lerDinheiro(valor) === valorPago);
    const dita = igual ?? (feita.adiantado && valorPago > 0 ? undefined : possiveis[0]);
    if (dita === undefined) {
      // Some banks tell of one undoing by two movements on two days: the second one waits for no other payment.
      const jaDesfeita = todas.some((uma) => {
        const desta = uma.nosso_numero === nossoNumero && lerDinheiro(uma.valor) === valorPago;
        return desta && (uma.desfeito_por !== null || tomadas.has(uma.chave));
      });
      if (!jaDesfeita) feita.resultado = 'a_desfazer';
      continue;
    }
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
  const linhas = new Map(todas.map(({ chave, linha, arquivo_id: id }) => [chave, id === retornoId ? linha : null]));
  const porChave = new Map(resultados.map(({ chave, resultado }) => [chave, resultado]));
  const voltaram: number[] = [];
  for (const [feita, chave] of chaves) {
    if (porChave.get(chave) !== 'desfeita') continue;
    feita.resultado = 'desfeita';
    const paga = feita.adiantado ? feitas.find(({ ocorrencia: { linha } }) => linha === linhas.get(chave)) : undefined;
    if (paga !== undefined) paga.resultado = 'desfeita';
    const { titulo } = feita;
    const aindaPago = (porNumero.get(feita.ocorrencia.nossoNumero) ?? []).some((dita) => !tomadas.has(dita.chave));
    if (titulo === undefined || aindaPago) continue;
    reabrir(titulo, convenio);
    if (titulo.situacao === 'registrado') voltaram.push(titulo.row.id);
  }
  if (voltaram.length === 0) return;
  // What the payment had come before, such as a write-off, was refused only because of it: it may be asked for again.
  const recusadas = { situacao: 'recusada' };
  await w.update('boletos_instrucoes', (q) => void q.whereIn('boleto_id', voltaram).where(recusadas), {
    situacao: 'desfeita',
  });
}
