import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { horaDeArquivo } from '../../../brazil/calendario/horario.ts';
import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { Recusa, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { arquivoDoBanco } from '../arquivo.ts';
import type { Cnab } from '../cnab.ts';
import { contasQueRegistram } from '../../faturas/emissao/contas.service.ts';
import { soltarSemQuemRegistre } from './espera.ts';
import { tocarFaturas } from './etiquetas.ts';
import { gerarRemessa } from './geracao.ts';
import type { Gerada } from './geracao.ts';
import { createRejeitadosQueries } from './rejeitados.queries.ts';
import { COLUNAS_DA_REMESSA, saiu } from './remessas.types.ts';
import type { RemessaRow } from './remessas.types.ts';

export type RemessasService = ReturnType<typeof createRemessasService>;

interface RemessasDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly cnab: Cnab;
}

const DA_FATURA = columns<{ id: number; cliente_id: number }>('f', { id: true, cliente_id: true });

const DO_TITULO = columns<{ fatura_id: number }>('boletos', { fatura_id: true });

interface ReenviavelRow {
  id: number;
  cliente_id: number;
  cobrador_id: number | null;
  grupo: string;
  boleto_situacao: string | null;
}

const REENVIAVEL = columns<ReenviavelRow>('faturas', {
  id: true,
  cliente_id: true,
  cobrador_id: true,
  grupo: true,
  boleto_situacao: true,
});

/** Files for banks: made, taken, sent, undone. */
export function createRemessasService({ w, provedor, relogio, cnab }: RemessasDeps) {
  async function travar(id: number): Promise<RemessaRow> {
    const [row] = await rowsOf(w.from('remessas').where({ id }).forUpdate(), COLUNAS_DA_REMESSA);
    recusarSeNao(row, 'nao_encontrado', { campo: 'remessa' });
    recusarSeNao(row.desfeita_em === null, 'remessa_desfeita');
    return row;
  }

  /** Of the invoices of a file that was taken back, those that nobody registers any more wait for nothing. */
  async function soltarDe(id: number): Promise<void> {
    const dela = w.from('boletos').where({ remessa_id: id, situacao: 'desfeito' });
    const voltaram = (await rowsOf(dela, DO_TITULO)).map(({ fatura_id: fatura }) => fatura);
    await soltarSemQuemRegistre(w, voltaram);
  }

  /** The invoices of a file wait to be registered again, and what it asked for may be asked for again. Its numbers stay used. */
  async function voltar(id: number): Promise<void> {
    const em = toDatabaseTime(relogio.agora());
    const delas = w
      .from('boletos as b')
      .join('faturas as f', sameTenant('b', 'fatura_id', 'f', 'id'))
      .where({ 'b.remessa_id': id, 'b.situacao': 'enviado' });
    const faturas = await rowsOf(delas.orderBy('f.id').forUpdate(), DA_FATURA);
    for (let n = 0; n < faturas.length; n += LOTE) {
      const ids = faturas.slice(n, n + LOTE).map((fatura) => fatura.id);
      await w.update('faturas', (q) => void q.whereIn('id', ids).where('boleto_situacao', 'enviado'), {
        boleto_situacao: 'a_registrar',
      });
    }
    await w.update('boletos', (q) => void q.where({ remessa_id: id, situacao: 'enviado' }), {
      situacao: 'desfeito',
      encerrado_em: em,
    });
    await w.update('boletos_instrucoes', (q) => void q.where({ remessa_id: id, situacao: 'pedida' }), {
      situacao: 'desfeita',
      respondida_em: em,
    });
    await w.update('remessas', (q) => void q.where({ id }), { desfeita_em: em });
    tocarFaturas(w, faturas);
  }

  return {
    /** Makes a file of all that an agreement has for its bank now; see {@link gerarRemessa}. */
    async gerar(convenioId: number): Promise<Gerada> {
      const agora = relogio.agora();
      const { fusoHorario } = provedor;
      return gerarRemessa(w, {
        provedor,
        cnab,
        convenioId,
        agora,
        hoje: hojeEm(fusoHorario, agora),
        hora: horaDeArquivo(fusoHorario, agora),
      });
    },

    /**
     * The file, as often as it is asked for; from the first time on it cannot be undone.
     * @throws Recusa `nao_encontrado`, `remessa_desfeita`, `arquivo_apagado`
     */
    async baixar(id: number): Promise<{ readonly nome: string; readonly conteudo: Buffer }> {
      const row = await travar(id);
      const conteudo = await arquivoDoBanco(w, 'remessa_id', id);
      recusarSeNao(conteudo, 'arquivo_apagado');
      if (row.baixada_em === null) {
        await w.update('remessas', (q) => void q.where({ id }), { baixada_em: toDatabaseTime(relogio.agora()) });
      }
      w.emit('remessa.baixada', id);
      return { nome: row.nome, conteudo };
    },

    /** Notes that the bank has it. @returns whether nobody had said so. @throws Recusa `nao_encontrado`, `remessa_desfeita` */
    async marcarEnviada(id: number): Promise<boolean> {
      const row = await travar(id);
      if (row.enviada_em !== null) return false;
      await w.update('remessas', (q) => void q.where({ id }), { enviada_em: toDatabaseTime(relogio.agora()) });
      w.emit('remessa.enviada', id);
      return true;
    },

    /**
     * Takes back a file that nobody has taken: its invoices wait to be registered again. The numbers of its titles and its own stay used.
     *
     * @throws Recusa `nao_encontrado`, `remessa_desfeita`, `remessa_ja_saiu`
     */
    async desfazer(id: number): Promise<void> {
      const row = await travar(id);
      recusarSeNao(!saiu(row), 'remessa_ja_saiu');
      await voltar(id);
      w.emit('remessa.desfeita', id);
      await soltarDe(id);
    },

    /**
     * Takes back a file that its bank refused whole, or that never arrived: as {@link desfazer} does. No line of a retorno names its titles, so
     * that nothing else would free them. It can be said only while nothing of the file was answered: a bank that answered has it.
     *
     * @throws Recusa `nao_encontrado`, `remessa_desfeita`, `remessa_nao_saiu`, `remessa_respondida`
     */
    async recusadaPeloBanco(id: number): Promise<void> {
      const row = await travar(id);
      recusarSeNao(saiu(row), 'remessa_nao_saiu');
      await voltar(id);
      // Looked at behind the locks that this takes: a retorno that was being applied has written its answers by now.
      const titulos = w.from('boletos').where('remessa_id', id).whereNot('situacao', 'desfeito');
      const pedidos = w.from('boletos_instrucoes').where('remessa_id', id).whereNot('situacao', 'desfeita');
      for (const respondidos of [titulos, pedidos]) {
        recusarSeNao((await rowsOf(respondidos.limit(1), ID)).length === 0, 'remessa_respondida');
      }
      w.emit('remessa.recusada_pelo_banco', id);
      await soltarDe(id);
    },

    /**
     * Has the boleto of an open invoice registered anew, with another number: of one that its bank refused, or wrote off.
     *
     * @throws Recusa `nao_encontrado`, `fatura_nao_aberta`, `boleto_em_vigor`, `sem_convenio_que_emite`
     */
    async reenviar(faturaId: number): Promise<void> {
      const [fatura] = await rowsOf(w.from('faturas').where('id', faturaId).forUpdate(), REENVIAVEL);
      recusarSeNao(fatura, 'nao_encontrado');
      recusarSeNao(fatura.grupo === 'aberta', 'fatura_nao_aberta');
      const { boleto_situacao: situacao } = fatura;
      if (situacao !== 'rejeitado' && situacao !== 'baixado') throw new Recusa('boleto_em_vigor');
      const { cobrador_id: conta } = fatura;
      recusarSeNao(conta !== null && (await contasQueRegistram(w)).has(conta), 'sem_convenio_que_emite');
      await w.update('faturas', (q) => void q.where('id', faturaId), { boleto_situacao: 'a_registrar' });
      tocarFaturas(w, [fatura]);
      w.emit('boleto.a_registrar', faturaId, { cliente: fatura.cliente_id });
    },

    /**
     * The same of those that banks refused for one reason, so many at a time, once what the reason asks for was mended.
     *
     * @returns how many
     */
    async reenviarRejeitados(motivo: string): Promise<number> {
      const achadas = await createRejeitadosQueries(w.tenant).faturas(motivo, LOTE);
      const ids = achadas.map(({ id }) => id);
      if (ids.length === 0) return 0;
      // Locked by their ids, and judged again: somebody else may have had some registered meanwhile.
      const travadas = await rowsOf(w.from('faturas').whereIn('id', ids).orderBy('id').forUpdate(), REENVIAVEL);
      const delas = travadas.filter((f) => f.grupo === 'aberta' && f.boleto_situacao === 'rejeitado');
      if (delas.length === 0) return 0;
      const quais = delas.map(({ id }) => id);
      await w.update('faturas', (q) => void q.whereIn('id', quais), { boleto_situacao: 'a_registrar' });
      tocarFaturas(w, delas);
      for (const { id, cliente_id: cliente } of delas) w.emit('boleto.a_registrar', id, { cliente });
      return delas.length;
    },
  };
}

const LOTE = 500;
