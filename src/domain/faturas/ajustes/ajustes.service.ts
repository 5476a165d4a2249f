import type { DaVersao } from '../../campos/versao.ts';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { escreverReais } from '../../../brazil/dinheiro/escrita.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerCampos } from '../../campos/campos.ts';
import { Recusa, faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import {
  julgarDeNovo,
  liberar,
  exigirAlvo,
  travarComOrigem,
  conferirFatura,
  travarPorId,
  valoresDe,
} from '../../recebimentos/quitacao.service.ts';
import type { Travada } from '../../recebimentos/quitacao.service.ts';
import { apurarDivida, estaAberta } from '../apuracao.regras.ts';
import type { SituacaoFatura } from '../faturas.types.ts';
import { CAMPOS_DE_QUEM_DESFAZ, CAMPOS_DO_CREDITO, CAMPOS_DO_DESCONTO } from './ajustes.campos.ts';
import { createLivroDeAjustes, devolvidosDe } from './livro.service.ts';
import type { NovoAjuste } from './livro.service.ts';

export type AjustesService = ReturnType<typeof createAjustesService>;

export interface AjustesDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** What became of an invoice by an adjustment. */
export interface AjusteFeito {
  readonly id: number;
  readonly faturaId: number;
  readonly valor: Centavos;
  readonly situacao: SituacaoFatura;
}

/**
 * Discounts and credits of open invoices. They lower what is owed from their day on: the charges of until then first, and then the
 * principal; see docs/adr/0026.
 */
export function createAjustesService({ w, provedor, relogio }: AjustesDeps) {
  const queries = createLivroDeAjustes(w);

  /** What is owed today of a locked invoice, which must be open. */
  function devidoHoje({ fatura, antes }: Travada): Centavos {
    recusarSeNao(estaAberta(fatura), 'fatura_nao_aberta');
    const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
    return apurarDivida(fatura, antes, provedor, hoje).total;
  }

  function exigirAteODevido(valor: Centavos, devido: Centavos): void {
    const sugestao = `deve ${escreverReais(devido)}`;
    recusarSeNao(valor <= devido, 'valor_acima_do_devido', { campo: 'valor', sugestao });
  }

  async function aplicar(
    travada: Travada,
    novo: Pick<NovoAjuste, 'valor' | 'motivo' | 'origem_fatura_id'> & { readonly tipo: 'desconto' | 'credito' },
  ): Promise<AjusteFeito> {
    const agora = relogio.agora();
    const { id: faturaId, cliente_id: cliente } = travada.fatura;
    const { tipo, valor, origem_fatura_id: origem } = novo;
    const ajuste = { ...novo, fatura_id: faturaId, dado_em: toDatabaseTime(agora), renegociacao_id: null };
    const id = await queries.inserir([ajuste], agora);
    const juizo = await julgarDeNovo(w, provedor, travada, agora);
    w.emit('fatura.ajustada', faturaId, { cliente, ajuste: id, tipo, valor: escreverDinheiro(valor), origem });
    if (juizo.situacao === 'paga') {
      w.emit('fatura.paga', faturaId, { cliente, ...valoresDe(juizo) });
      await liberar(w, provedor, travada, agora, tipo === 'desconto' ? 'pelo desconto' : 'pelo crédito');
    } else w.emit('fatura.alterada', faturaId, { cliente, campos: ['abatido'] });
    return { id, faturaId, valor, situacao: juizo.situacao };
  }

  return {
    /**
     * Gives a discount, at most what is owed today; all of it settles the invoice.
     *
     * @param dados by {@link CAMPOS_DO_DESCONTO}.
     * @throws CamposInvalidos; Recusa `nao_encontrado`, `fatura_nao_aberta` or `valor_acima_do_devido`.
     */
    async darDesconto(faturaId: number, dados: unknown, { versao }: DaVersao = {}): Promise<AjusteFeito> {
      const { valor, motivo } = lerCampos(CAMPOS_DO_DESCONTO, dados);
      const travada = await travarPorId(w, faturaId);
      conferirFatura(versao, travada);
      exigirAteODevido(valor, devidoHoje(travada));
      return aplicar(travada, { tipo: 'desconto', valor, motivo, origem_fatura_id: null });
    },

    /**
     * Applies a credit, at most what is owed today: of the surplus of another invoice of the same client, which is surplus no more, or
     * given by staff.
     *
     * @param dados by {@link CAMPOS_DO_CREDITO}.
     * @throws CamposInvalidos; Recusa as for a discount, and `excedente_insuficiente`.
     */
    async aplicarCredito(faturaId: number, dados: unknown): Promise<AjusteFeito> {
      const { valor: pedido, origem = null, motivo = null } = lerCampos(CAMPOS_DO_CREDITO, dados);
      if (origem === faturaId) faltaEm('origem', 'deve ser outra fatura');
      const alvo = await exigirAlvo(w, faturaId);
      const { travada, origem: deOnde } = await travarComOrigem(w, alvo, origem);
      const devido = devidoHoje(travada);
      if (origem === null) {
        if (pedido === undefined) faltaEm('valor', 'é obrigatório sem uma origem');
        if (motivo === null) faltaEm('motivo', 'é obrigatório sem uma origem');
        exigirAteODevido(pedido, devido);
        return aplicar(travada, { tipo: 'credito', valor: pedido, motivo, origem_fatura_id: null });
      }
      const doCliente = deOnde?.cliente_id === travada.fatura.cliente_id;
      recusarSeNao(doCliente, 'nao_encontrado', { campo: 'origem' });
      const livre = await queries.excedenteLivre(origem);
      const valor = pedido ?? centavos(Math.min(livre, devido));
      exigirAteODevido(valor, devido);
      const sugestao = `sobraram ${escreverReais(livre)}`;
      recusarSeNao(valor <= livre && livre > 0, 'excedente_insuficiente', { campo: 'valor', sugestao });
      if (valor === 0) throw new Recusa('fatura_nao_aberta');
      await queries.usar([{ origem, valor }]);
      return aplicar(travada, { tipo: 'credito', valor, motivo, origem_fatura_id: origem });
    },

    /**
     * Undoes a discount or a credit, as if it had never been given: the invoice may be owed again, and the surplus is surplus again. Blocks
     * nobody.
     *
     * @param dados by {@link CAMPOS_DE_QUEM_DESFAZ}.
     * @throws CamposInvalidos; Recusa `nao_encontrado`, `ja_desfeito`, `fatura_de_renegociacao`, or `excedente_usado`, of what became
     * credit of another invoice.
     */
    async desfazer(id: number, dados: unknown): Promise<AjusteFeito> {
      const { motivo } = lerCampos(CAMPOS_DE_QUEM_DESFAZ, dados);
      const agora = relogio.agora();
      const visto = await queries.buscar(id);
      recusarSeNao(visto, 'nao_encontrado');
      const travada = await travarPorId(w, visto.fatura_id);
      const ajuste = await queries.travar(id);
      recusarSeNao(ajuste, 'nao_encontrado');
      recusarSeNao(ajuste.desfeito_em === null, 'ja_desfeito');
      const { tipo, origem_fatura_id: origem } = ajuste;
      const { fatura, antes } = travada;
      const doAcordo = fatura.situacao === 'cancelada' && antes.some(({ meio }) => meio === 'renegociacao');
      if (tipo === 'renegociacao' || doAcordo) throw new Recusa('fatura_de_renegociacao', { registroId: fatura.id });
      await queries.desfazer([id], motivo, agora);
      await queries.usar(devolvidosDe([ajuste]));
      const juizo = await julgarDeNovo(w, provedor, travada, agora, { desfaz: true });
      const { cliente_id: cliente } = fatura;
      w.emit('fatura.ajuste_desfeito', fatura.id, { cliente, ajuste: id, tipo, valor: ajuste.valor, origem });
      if (fatura.situacao === 'paga' && juizo.situacao !== 'paga') {
        w.emit('fatura.reaberta', fatura.id, { cliente, ...valoresDe(juizo) });
      } else if (estaAberta(juizo)) w.emit('fatura.alterada', fatura.id, { cliente, campos: ['abatido'] });
      return { id, faturaId: fatura.id, valor: lerDinheiro(ajuste.valor), situacao: juizo.situacao };
    },
  };
}
