import { randomBytes } from 'node:crypto';
import { diasEntre, hojeEm } from '../../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { escreverReais } from '../../../brazil/dinheiro/escrita.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerCampos } from '../../campos/campos.ts';
import { Recusa, faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { julgarDeNovo, valoresDe } from '../quitacao.service.ts';
import { CAMPOS_DA_DEVOLUCAO } from './devolucoes.campos.ts';
import { createDevolucoesQueries } from './devolucoes.queries.ts';
import { DIAS_PARA_DEVOLVER_PIX } from './devolucoes.types.ts';
import type { DevolucaoRow, MeioDevolvido, SituacaoDaDevolucao } from './devolucoes.types.ts';
import { consequencia, travarDevolvivel } from './devolvivel.service.ts';
import type { Devolvivel } from './devolvivel.service.ts';
import { MAXIMO_DA_RECUSA, dadosDe, devolverPix } from './respostas.service.ts';

export type DevolucoesService = ReturnType<typeof createDevolucoesService>;

export interface DevolucoesDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** What became of what was asked for; `repetida`: it had been asked for under the same key, and nothing was written. */
export interface DevolucaoFeita {
  readonly id: number;
  readonly situacao: SituacaoDaDevolucao;
  readonly repetida: boolean;
}

/**
 * Returns of money that came in, which people ask for. What is asked for is reserved at once, under the lock of what came in: so two that ask
 * at once never give back more than is left. A PIX is given back by the PSP, or by hand, as all else is.
 */
export function createDevolucoesService({ w, provedor, relogio }: DevolucoesDeps) {
  const queries = createDevolucoesQueries(w);

  /** @throws CamposInvalidos; Recusa `excedente_usado` */
  function conferirValor(meio: MeioDevolvido, valor: Centavos, ciente: boolean, dela: Devolvivel): void {
    const { resta, livre, creditado } = dela;
    recusarSeNao(valor <= resta, 'valor_acima_do_que_resta', {
      campo: 'valor',
      sugestao: resta > 0 ? `restam ${escreverReais(resta)}` : 'não resta nada',
    });
    if (creditado && valor > livre) throw new Recusa('excedente_usado', { campo: 'valor' });
    const juizo = consequencia(dela, meio, valor, provedor, relogio.agora());
    if (juizo === null || dela.travada === null) return;
    const muda = juizo.situacao !== dela.travada.fatura.situacao;
    if ((valor > livre || muda) && !ciente) {
      faltaEm('ciente', `deve ser confirmado: ${consequenciaEmPalavras(dela, juizo, valor)}`);
    }
  }

  /** Of money that no PSP gives back: it was given back by a person, and is so at once. */
  async function aMao(meio: MeioDevolvido, dela: Devolvivel, pedida: DevolucaoRow, agora: Date): Promise<void> {
    const { entrada, travada } = dela;
    if (meio === 'pix') {
      await devolverPix(w, provedor, entrada.id, pedida, agora);
      return;
    }
    await queries.somarDevolvido(meio, entrada.id, lerDinheiro(pedida.valor));
    w.emit('devolucao.feita', pedida.id, dadosDe(pedida));
    if (travada === null) return;
    const { fatura } = travada;
    const juizo = await julgarDeNovo(w, provedor, travada, agora);
    const dados = {
      cliente: fatura.cliente_id,
      ...(meio === 'boleto' ? { boleto: entrada.id } : { manual: entrada.id }),
      valor: entrada.valor,
      devolvido: escreverDinheiro(centavos(lerDinheiro(entrada.devolvido) + lerDinheiro(pedida.valor))),
      ...valoresDe(juizo),
    };
    const estornou = juizo.situacao === 'estornada' && fatura.situacao !== 'estornada';
    w.emit(estornou ? 'fatura.estornada' : 'fatura.devolvida_em_parte', fatura.id, dados);
  }

  return {
    /**
     * Asks that money be given back, or says that a person gave it back.
     *
     * @param dados by {@link CAMPOS_DA_DEVOLUCAO}.
     * @throws CamposInvalidos, also where it takes what had paid something and nobody said that he knows; Recusa `nao_encontrado`,
     * `valor_acima_do_que_resta`, `excedente_usado`, `prazo_da_devolucao` or `chave_idempotencia_reutilizada`.
     */
    async devolver(meio: MeioDevolvido, id: number, dados: unknown): Promise<DevolucaoFeita> {
      const agora = relogio.agora();
      const { valor, motivo, forma = null, ciente = false, chave = null } = lerCampos(CAMPOS_DA_DEVOLUCAO, dados);
      const dela = await travarDevolvivel(w, meio, id);
      recusarSeNao(dela, 'nao_encontrado');
      // Under the lock: of two with one key, the second finds the first.
      const feita = chave === null ? undefined : await queries.buscar({ chave });
      if (feita !== undefined) {
        const mesma = dadosDe(feita).de === id && feita.meio === meio && lerDinheiro(feita.valor) === valor;
        recusarSeNao(mesma, 'chave_idempotencia_reutilizada', { campo: 'chave', registroId: feita.id });
        return { id: feita.id, situacao: feita.situacao, repetida: true };
      }
      if (meio !== 'pix' && forma === null) faltaEm('forma', 'é obrigatória: só PIX o banco devolve');
      const hoje = hojeEm(provedor.fusoHorario, agora);
      const pagoEm = hojeEm(provedor.fusoHorario, fromDatabaseTime(dela.entrada.pago_em));
      recusarSeNao(forma !== null || diasEntre(pagoEm, hoje) <= DIAS_PARA_DEVOLVER_PIX, 'prazo_da_devolucao', {
        campo: 'forma',
      });
      conferirValor(meio, valor, ciente, dela);

      const pedida = {
        meio,
        fatura_id: dela.entrada.fatura_id,
        devolucao: randomBytes(16).toString('hex'),
        chave,
        situacao: forma === null || meio === 'pix' ? ('pedida' as const) : ('devolvida' as const),
        motivo,
        forma,
      };
      const devolucaoId = await queries.inserir({ ...pedida, de: id, valor }, agora);
      const gravada = await queries.buscar({ id: devolucaoId });
      if (gravada === undefined) throw new Error('uma devolução que se gravou sumiu');
      w.emit('devolucao.pedida', devolucaoId, dadosDe(gravada));
      if (forma === null) return { id: devolucaoId, situacao: 'pedida', repetida: false };
      await aMao(meio, dela, gravada, agora);
      return { id: devolucaoId, situacao: 'devolvida', repetida: false };
    },

    /**
     * Gives up a return that nobody has told the bank of: the amount is free again.
     *
     * @throws Recusa `nao_encontrado`, or `devolucao_enviada` where the bank may have been told, or has answered.
     */
    async desistir(id: number): Promise<void> {
      const pedida = await queries.travar(id);
      recusarSeNao(pedida, 'nao_encontrado');
      recusarSeNao(pedida.situacao === 'pedida', 'devolucao_enviada');
      const recusa = `Desistência de ${w.author.name}`.slice(0, MAXIMO_DA_RECUSA);
      await queries.mudar([id], 'nao_realizada', recusa, relogio.agora());
      w.emit('devolucao.nao_realizada', id, dadosDe(pedida));
    },
  };
}

/** What giving so much back does to the invoice, in words that a person confirms. */
function consequenciaEmPalavras(
  { travada, livre }: Pick<Devolvivel, 'travada' | 'livre'>,
  juizo: ReturnType<typeof consequencia>,
  valor: Centavos,
): string {
  if (travada === null || juizo === null) return 'nenhuma fatura muda';
  const { id, situacao } = travada.fatura;
  if (juizo.situacao !== situacao) {
    return juizo.situacao === 'estornada'
      ? `a fatura ${id} fica estornada, e ninguém cobra mais o que ela pedia`
      : `a fatura ${id} volta a dever ${escreverReais(juizo.falta)}`;
  }
  if (valor <= livre) return `só se devolve o que sobrou; a fatura ${id} continua ${situacao}`;
  return `devolve-se o que pagou a fatura ${id}, que continua ${situacao}: o provedor abre mão de ${escreverReais(centavos(valor - livre))}`;
}
