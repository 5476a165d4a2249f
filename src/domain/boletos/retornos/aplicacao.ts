import { ajustesDe } from '../../../brazil/cnab/ajustes.ts';
import { desfazPagamentos } from '../../../brazil/cnab/retorno/classes.ts';
import type { Ocorrencia } from '../../../brazil/cnab/convenio.types.ts';
import type { Write } from '../../escrita.ts';
import { receberBoletos } from '../../recebimentos/boletos/boletos.service.ts';
import type { BoletoPago } from '../../recebimentos/boletos/boletos.types.ts';
import { desfazer } from './desfeitas.ts';
import { aplicarLinha, emMaos, eraVivo, liquidar } from './estado.ts';
import type { LinhaFeita, Parte, TituloEmMaos } from './estado.ts';
import { gravarTitulos } from './gravacao.ts';
import { documentoDe } from '../remessas/entradas.ts';
import { soltarSemQuemRegistre } from '../remessas/espera.ts';
import { pagosPelaChave, travarHibridos } from './hibridos.ts';
import { tarifar } from './tarifas.ts';
import { chaveDe, falaDoTitulo, semFuturo } from './titulo.regras.ts';
import { createTitulosDoRetornoQueries } from './titulos.queries.ts';
import type { TituloRow } from './titulos.queries.ts';

/**
 * Does what the lines of a part of a bank's file say, in their order. Statements do not grow with the lines. Whoever does it again finds
 * all of it done.
 */
export async function aplicarParte(w: Write, parte: Parte): Promise<LinhaFeita[]> {
  const { provedor, convenioId, cobradorId, convenio, ocorrencias, agora } = parte;
  const queries = createTitulosDoRetornoQueries(w, convenioId);
  const numeros = [...new Set(ocorrencias.flatMap(({ nossoNumero }) => nossoNumero || []))];
  const ids = [...new Set(ocorrencias.flatMap(({ usoEmpresa }) => idDe(usoEmpresa) ?? []))];
  const ler = async (): Promise<TituloRow[]> =>
    queries.titulos(numeros, ajustesDe(convenio).numeracao === 'banco' ? ids : []);
  const vistas = await ler();
  const rows = (await travarHibridos(w, vistas, ocorrencias)) ? await ler() : vistas;
  const pedidas = await queries.pedidas(rows.map(({ id }) => id));
  const porBoleto = new Map(pedidas.map((pedida) => [pedida.boleto_id, pedida]));
  // Titles that the bank does not have by now, and that a line of this file may make its own again.
  const mortos = rows.filter(({ situacao }) => situacao !== 'enviado' && situacao !== 'registrado');
  const desfazem = desfazPagamentos(convenio.banco, convenio.formato);
  const voltam = mortos.filter(({ situacao }) => desfazem || situacao === 'rejeitado');
  const comVivo = await queries.comVivo(voltam.map(({ fatura_id: fatura }) => fatura));
  // An invoice has one title at its bank: where several could come back, only the newest may.
  const ultimo = new Map(voltam.toSorted((a, b) => a.id - b.id).map(({ id, fatura_id: fatura }) => [fatura, id]));
  const temOutro = (row: TituloRow): boolean =>
    voltam.includes(row) && (comVivo.has(row.fatura_id) || ultimo.get(row.fatura_id) !== row.id);
  const titulos = rows.map((row) => emMaos(row, porBoleto.get(row.id), temOutro(row)));
  const porNumero = new Map(titulos.flatMap((um) => (um.row.numero === null ? [] : [[um.row.numero, um] as const])));
  // Our id in a line is believed only for a title that the bank has yet to number, and only with our document number, where the line says
  // one: another program of the provider's sends ids of its own.
  const porId = new Map(titulos.flatMap((um) => (um.row.numero === null ? [[um.row.id, um] as const] : [])));
  const tituloDe = (ocorrencia: Ocorrencia): TituloEmMaos | undefined => {
    const { nossoNumero, usoEmpresa, numeroDocumento } = ocorrencia;
    const numerado = porNumero.get(nossoNumero);
    const deOutro = numerado !== undefined && falaDoTitulo(ocorrencia, doTitulo(numerado)) === false;
    if (numerado !== undefined) return deOutro ? undefined : numerado;
    const um = porId.get(idDe(usoEmpresa) ?? 0);
    const outroDocumento = (t: TituloEmMaos): boolean =>
      /[1-9]/.test(numeroDocumento) && Number(numeroDocumento) !== Number(documentoDe(t.row.fatura_id));
    return um === undefined || um.numero !== null || outroDocumento(um) ? undefined : um;
  };
  const pelaChave = await pagosPelaChave(w, titulos, provedor.fusoHorario);

  const feitas: LinhaFeita[] = [];
  const pagos: { pago: BoletoPago; feita: LinhaFeita }[] = [];
  for (const lida of ocorrencias) {
    const ocorrencia = semFuturo(lida, parte.dia);
    const titulo = tituloDe(ocorrencia);
    const feita: LinhaFeita = { ocorrencia, titulo, resultado: 'sem_efeito' };
    feitas.push(feita);
    if (ocorrencia.classe === 'ilegivel') feita.resultado = 'ilegivel';
    else if (ocorrencia.classe === 'liquidado') {
      const pago = pagoDe(parte, ocorrencia, titulo, cobradorId);
      if (titulo !== undefined && pelaChave(titulo, pago)) feita.resultado = 'repetida';
      else pagos.push({ feita, pago });
      if (titulo !== undefined) liquidar(titulo);
    } else if (titulo === undefined) feita.resultado = 'desconhecido';
    else {
      feita.resultado = aplicarLinha(titulo, parte, ocorrencia);
      if (titulo.numero !== null) porNumero.set(titulo.numero, titulo);
    }
  }
  if (pagos.length > 0) {
    const tomados = await receberBoletos(
      w,
      provedor,
      pagos.map(({ pago }) => pago),
      agora,
    );
    for (const [n, { feita }] of pagos.entries()) {
      const resultado = tomados[n]?.resultado;
      if (resultado === undefined) throw new Error('uma liquidação ficou sem resultado');
      feita.resultado = resultado;
      const { titulo } = feita;
      // The title is used up, and the rest of the debt is paid by other ways.
      if (resultado === 'parcial' && titulo !== undefined && (eraVivo(titulo) || titulo.registrou)) {
        titulo.daFatura = 'baixado';
      }
    }
  }
  await desfazer(w, parte, feitas);
  await tarifar(w, parte, feitas);
  await gravarTitulos(w, titulos, agora);
  const voltaram = titulos.filter(({ daFatura }) => daFatura === 'a_registrar').map(({ row }) => row.fatura_id);
  await soltarSemQuemRegistre(w, voltaram);
  return feitas;
}

const doTitulo = ({ row }: TituloEmMaos) => ({ id: row.id, documento: documentoDe(row.fatura_id) });

/** The id that a title was sent with. */
function idDe(usoEmpresa: string): number | null {
  const texto = usoEmpresa.trim();
  return /^0*[1-9]\d{0,14}$/.test(texto) ? Number(texto) : null;
}

function pagoDe(
  { convenioId, convenio, retornoId, dia }: Parte,
  ocorrencia: Ocorrencia,
  titulo: TituloEmMaos | undefined,
  cobradorId: number,
): BoletoPago {
  const { nossoNumero, valorPago, tarifa, creditadoEm, linha } = ocorrencia;
  const pagoEm = ocorrencia.pagoEm ?? dia;
  return {
    chave: chaveDe(convenioId, convenio, ocorrencia, pagoEm, valorPago),
    faturaId: titulo?.row.fatura_id ?? null,
    cobradorId,
    nossoNumero,
    valor: valorPago,
    tarifa,
    pagoEm,
    creditadoEm,
    arquivoId: retornoId,
    linha,
  };
}
