import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { OcorrenciasDaParte } from '../../../../workers/threads/cnab/contract.ts';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { ehDinheiro } from '../../../brazil/cnab/retorno/leitura.ts';
import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { faltaEm } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { Cnab } from '../cnab.ts';
import { convenioDoArquivo } from '../convenios/do-arquivo.ts';
import { COLUNAS_DO_CONVENIO, beneficiarioDe, convenioDoBanco } from '../convenios/convenios.types.ts';
import { notificarEquipe } from '../../recebimentos/equipe.service.ts';
import { retomarRegua } from '../../regua/ativa.service.ts';
import { aplicarParte } from './aplicacao.ts';
import type { LinhaFeita } from './estado.ts';
import { SEM_FALHA, anotarFalha } from './tentativas.service.ts';
import type { RecebedorDoPix } from './titulo.regras.ts';
import { COLUNAS_DO_RETORNO } from './retornos.types.ts';
import type { Contas, RetornoRow } from './retornos.types.ts';

export type RetornosService = ReturnType<typeof createRetornosService>;

interface RetornosDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
  readonly cnab: Cnab;
  /** After each part: none where nobody else waits for this process. */
  readonly descansoMs: () => number;
}

/** 100,000 titles of CNAB 240 are of 48 MB. */
export const MAIOR_RETORNO = 64 * 2 ** 20;

/** Lines of a part, which is written in one transaction: as many as are settled fastest together. */
const LINHAS_POR_PARTE = 600;

/** Of some 20 KB each, in one statement. */
const PARTES_POR_INSERT = 50;

const PARTE = columns<{ conteudo: Buffer }>('retornos_partes', { conteudo: true });
const POR_FAZER = columns<{ provedor_id: number }>('retornos', { provedor_id: true });

interface Opcoes {
  readonly signal: AbortSignal;
  readonly aoAvancar?: (progresso: { readonly feitas: number; readonly total: number }) => void;
}

/** Files of banks: taken in whole or not at all, and then done part by part. */
export function createRetornosService({ db, write, relogio, provedores, cnab, descansoMs }: RetornosDeps) {
  /** Does the next part of a file; null where there is none left. */
  async function fazerParte(actor: Actor, provedor: Provedor, id: number): Promise<RetornoRow | null> {
    return write(actor, provedor.id, async (w) => {
      const [row] = await rowsOf(w.from('retornos').where({ id }).forUpdate(), COLUNAS_DO_RETORNO);
      if (row === undefined || row.concluido_em !== null) return null;
      const parte = await lerParte(w, row);
      // Locked: who makes a file for the agreement, or does another one of it, comes before or after.
      const doArquivo = w.from('convenios_bancarios').where('id', row.convenio_id).forUpdate();
      const [convenio] = await rowsOf(doArquivo, COLUNAS_DO_CONVENIO);
      if (convenio === undefined) throw new Error(`o convênio ${row.convenio_id} sumiu`);
      const agora = relogio.agora();
      const feitas = await aplicarParte(w, {
        provedor,
        convenioId: convenio.id,
        cobradorId: convenio.cobrador_id,
        convenio: convenioDoBanco(convenio, beneficiarioDe(provedor, convenio)),
        recebedor: recebedorDe(provedor, convenio.cobrador_id),
        retornoId: id,
        ocorrencias: parte,
        agora,
        dia: hojeEm(provedor.fusoHorario, agora),
      });
      await gravarLinhas(w, id, feitas);
      const feito = await avancar(w, row, feitas, agora);
      if (feito.feitas >= feito.partes) await retomarRegua(w, provedor, agora);
      return feito;
    });
  }

  return {
    /**
     * Takes in a file of a bank: which of the provider's agreements it is of, is found by what it says of itself, and by its titles where
     * several say the same. A file that was taken before is that one again.
     *
     * @param convenioId of which agreement somebody says that it is
     * @throws CamposInvalidos of `arquivo` with the line where it is torn or somebody else's, and of `convenio` where that has to be said:
     *   nothing of it counts then
     */
    async receber(
      actor: Actor,
      provedorId: number,
      arquivo: Uint8Array,
      nome: string,
      convenioId: number | null = null,
    ): Promise<{ readonly id: number; readonly repetido: boolean }> {
      const provedor = await provedores.exigirPorId(provedorId);
      if (arquivo.length > MAIOR_RETORNO) faltaEm('arquivo', `tem mais de ${MAIOR_RETORNO / 2 ** 20} MiB`);
      const tenant = createTenantDb(db, provedorId);
      const sha256 = createHash('sha256').update(arquivo).digest();
      const procurar = async (leitura: Pick<Write, 'from'>): Promise<RetornoRow | undefined> => {
        const [row] = await rowsOf(leitura.from('retornos').where({ sha256 }), COLUNAS_DO_RETORNO);
        return row;
      };
      const antes = await procurar(tenant);
      if (antes !== undefined) return { id: antes.id, repetido: true };
      const todos = await rowsOf(tenant.from('convenios_bancarios').orderBy('id'), COLUNAS_DO_CONVENIO);
      const convenios = convenioId === null ? todos : todos.filter(({ id }) => id === convenioId);
      if (convenioId !== null && convenios.length === 0) faltaEm('convenio', 'não existe');
      const lido = await cnab.ler({
        arquivo,
        convenios: convenios.map((row) => convenioDoBanco(row, beneficiarioDe(provedor, row))),
        porParte: LINHAS_POR_PARTE,
      });
      if (!lido.certa) return faltaEm('arquivo', `linha ${lido.linha}: ${lido.motivo}`);
      const candidatos = lido.convenios.flatMap((indice) => convenios[indice] ?? []);
      const convenio = await convenioDoArquivo(tenant, candidatos, lido.partes);
      if (convenio === null) {
        const nomes = candidatos.map((um) => `${um.nome} (${um.id})`).join(', ');
        return faltaEm('convenio', `diga de qual destes é o arquivo, que serve a todos: ${nomes}`);
      }
      return write(actor, provedorId, async (w) => {
        const outro = await procurar(w);
        if (outro !== undefined) return { id: outro.id, repetido: true };
        const vazio = lido.partes.length === 0;
        const agora = toDatabaseTime(relogio.agora());
        const id = await w.insert(
          'retornos',
          {
            convenio_id: convenio.id,
            nome: nome.slice(-255),
            sha256,
            gravado_em: lido.gravadoEm,
            linhas: lido.ocorrencias,
            partes: lido.partes.length,
            contas: '{}',
            recebido_em: agora,
            concluido_em: vazio ? agora : null,
          },
          { soughtBefore: true },
        );
        await w.insert('arquivos_bancarios', {
          retorno_id: id,
          conteudo: Buffer.from(lido.conteudo),
          criado_em: agora,
        });
        const partes = lido.partes.map((conteudo, ordem) => ({
          retorno_id: id,
          ordem,
          conteudo: Buffer.from(conteudo),
        }));
        for (let n = 0; n < partes.length; n += PARTES_POR_INSERT) {
          await w.insert('retornos_partes', partes.slice(n, n + PARTES_POR_INSERT));
        }
        w.emit('retorno.recebido', id, { convenio: convenio.id, linhas: lido.ocorrencias });
        if (vazio) await retomarRegua(w, provedor, relogio.agora());
        return { id, repetido: false };
      });
    },

    /** Does what is left of a file; safe to do twice, at the same time too: each part is done by one of them. @throws `signal.reason` */
    async processar(actor: Actor, provedorId: number, id: number, { signal, aoAvancar }: Opcoes): Promise<void> {
      for (;;) {
        signal.throwIfAborted();
        // Of each part anew: while a long file is done, somebody changes the provider's rules.
        const feito = await fazerParte(actor, await provedores.exigirPorId(provedorId), id);
        if (feito === null) return;
        aoAvancar?.({ feitas: feito.feitas, total: feito.partes });
        const descanso = descansoMs();
        if (descanso > 0) await sleep(descanso, undefined, { signal });
      }
    },

    /** Notes that a file could not be done: the others go before it for some time, which grows. */
    async anotarFalha(actor: Actor, provedorId: number, id: number): Promise<void> {
      await write(actor, provedorId, async (w) => anotarFalha(w, id, relogio.agora()));
    },

    /** Providers that have a file that is to be done by now. */
    async comPendentes(): Promise<number[]> {
      const deles = db('retornos').modify(aFazer, relogio.agora());
      return (await rowsOf(deles.groupBy('provedor_id'), POR_FAZER)).map(({ provedor_id: id }) => id);
    },

    /** The oldest file of a provider that is to be done by now. */
    async proximoPendente(provedorId: number): Promise<number | null> {
      const deles = createTenantDb(db, provedorId).from('retornos').modify(aFazer, relogio.agora());
      const [row] = await rowsOf(deles.orderBy('id').limit(1), ID);
      return row?.id ?? null;
    },
  };
}

function recebedorDe({ nome, contas }: Provedor, cobradorId: number): RecebedorDoPix {
  const pix = contas.find(({ id }) => id === cobradorId)?.pix;
  return { nome: pix?.nome ?? nome, cidade: pix?.cidade ?? 'Brasil' };
}

function aFazer(query: Knex.QueryBuilder, agora: Date): void {
  query
    .whereNull('concluido_em')
    .where((q) => void q.whereNull('tentar_em').orWhere('tentar_em', '<=', toDatabaseTime(agora)));
}

async function lerParte(w: Write, { id, feitas }: RetornoRow): Promise<OcorrenciasDaParte> {
  const [row] = await rowsOf(w.from('retornos_partes').where({ retorno_id: id, ordem: feitas }), PARTE);
  if (row === undefined) throw new Error(`a parte ${feitas} do retorno ${id} sumiu`);
  return JSON.parse(gunzipSync(row.conteudo).toString()) as OcorrenciasDaParte;
}

async function gravarLinhas(w: Write, retornoId: number, feitas: readonly LinhaFeita[]): Promise<void> {
  if (feitas.length === 0) return;
  await w.insert(
    'retornos_linhas',
    feitas.map(({ ocorrencia, titulo, resultado }) => ({
      retorno_id: retornoId,
      linha: ocorrencia.linha,
      movimento: ocorrencia.movimento,
      classe: ocorrencia.classe,
      resultado,
      numero: ocorrencia.nossoNumero,
      boleto_id: titulo?.row.id ?? null,
      fatura_id: titulo?.row.fatura_id ?? null,
      valor: escreverDinheiro(ehDinheiro(ocorrencia) ? ocorrencia.valorPago : ocorrencia.valorTitulo),
      tarifa: escreverDinheiro(ocorrencia.tarifa),
      dia: ocorrencia.pagoEm,
      motivos: ocorrencia.motivos.length === 0 ? null : JSON.stringify(ocorrencia.motivos),
    })),
  );
}

/** The newest day of payments, with those of some lines: how far the file goes, whatever its header says. None can be newer than the file. */
function pagoAte({ pago_ate, gravado_em, recebido_em }: RetornoRow, feitas: readonly LinhaFeita[]): string | null {
  const ultimo = gravado_em ?? recebido_em.slice(0, 10);
  return feitas.reduce((novo: string | null, { ocorrencia: { classe, pagoEm } }) => {
    const conta = classe === 'liquidado' && pagoEm !== null && pagoEm <= ultimo && pagoEm > (novo ?? '');
    return conta ? pagoEm : novo;
  }, pago_ate);
}

/** Notes a part as done; with the last one the file is, and its parts, which are in its lines, go. */
async function avancar(w: Write, row: RetornoRow, feitas: readonly LinhaFeita[], agora: Date): Promise<RetornoRow> {
  const contas: Record<string, number> = { ...jsonColumn<Contas>(row.contas ?? {}) };
  for (const { resultado } of feitas) contas[resultado] = (contas[resultado] ?? 0) + 1;
  const ordem = row.feitas + 1;
  const ultima = ordem >= row.partes;
  await w.update('retornos', (q) => void q.where('id', row.id), {
    feitas: ordem,
    ...SEM_FALHA,
    contas: JSON.stringify(contas),
    pago_ate: pagoAte(row, feitas),
    concluido_em: ultima ? toDatabaseTime(agora) : null,
  });
  await w.delete('retornos_partes', (q) => void q.where({ retorno_id: row.id, ordem: row.feitas }));
  // A title that the bank answers for was sent, whoever forgot to say so.
  const remessas = [...new Set(feitas.flatMap(({ titulo }) => titulo?.row.remessa_id ?? []))];
  if (remessas.length > 0) {
    await w.update('remessas', (q) => void q.whereIn('id', remessas).whereNull('enviada_em'), {
      enviada_em: toDatabaseTime(agora),
    });
  }
  if (ultima) {
    w.emit('retorno.concluido', row.id, { linhas: row.linhas });
    const linhas = contas['ilegivel'] ?? 0;
    if (linhas > 0) {
      w.emit('retorno.linhas_ilegiveis', row.id, { linhas });
      await notificarEquipe(w, [{ tipo: 'retorno.linhas_ilegiveis', recurso: 'retorno', id: row.id }], 'boleto', agora);
    }
  }
  return { ...row, feitas: ordem };
}
