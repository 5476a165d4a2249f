import { lerCampos, opcional } from '../../../domain/campos/campos.ts';
import { ouNulo, texto } from '../../../domain/campos/leitores.ts';
import type { FichaDeContrato } from '../../../domain/contratos/ficha/ficha.service.ts';
import { DIAS_ATE_ENCERRAR, admite } from '../../../domain/contratos/movimentos/movimentos.regras.ts';
import type { Dominio, Escritas } from '../../../domain/dominio.ts';
import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import type { TipoDeCampo } from '../formulario/leitura.ts';
import type { Feito } from '../moldura/feitos.ts';

export interface MovimentoDaTela {
  /** Its address below the contract's. */
  readonly nome: string;
  readonly permissao: PermissaoPainel;
  readonly titulo: string;
  readonly enviar: string;
  readonly perigoso?: boolean;
  readonly cabe: (contrato: FichaDeContrato) => boolean;
  /** What will happen, a sentence each. */
  readonly acontece: (contrato: FichaDeContrato) => readonly string[];
  /** What is to be said loudly of this one. */
  readonly alerta?: (dominio: Dominio, contrato: FichaDeContrato) => Promise<string | null>;
  readonly campos: readonly ('motivo' | 'confirmado' | 'faturas_futuras')[];
  readonly exigeMotivo?: (contrato: FichaDeContrato) => boolean;
  readonly fazer: (escritas: Escritas, id: number, dados: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly feito: Feito;
}

/** How each field of these forms is read; the version goes along with all that the domain's form has it in. */
export const TIPOS = {
  motivo: 'texto',
  confirmado: 'caixa',
  faturas_futuras: 'texto',
} as const satisfies Record<MovimentoDaTela['campos'][number], TipoDeCampo>;

const porDebito = ({ bloqueio_origem }: FichaDeContrato): boolean => bloqueio_origem === 'financeiro';

/** What people do with a contract's state; each has a page that says first what will happen. */
export const MOVIMENTOS_DA_TELA: readonly MovimentoDaTela[] = [
  {
    nome: 'ativar',
    permissao: 'contratos.ativar',
    titulo: 'Ativar contrato',
    enviar: 'Ativar',
    cabe: ({ situacao }) => admite('ativar', situacao),
    acontece: () => [
      'O login passa a entrar na rede, com a velocidade do plano.',
      'A cobrança começa a contar de hoje.',
    ],
    campos: ['confirmado'],
    fazer: async ({ movimentos }, id, dados) => movimentos.ativar(id, dados),
    feito: 'ativado',
  },
  {
    nome: 'bloquear',
    permissao: 'contratos.bloquear',
    titulo: 'Bloquear contrato',
    enviar: 'Bloquear',
    perigoso: true,
    cabe: ({ situacao }) => admite('bloquear', situacao),
    acontece: () => [
      'O cliente perde o acesso em instantes.',
      'Pagar não libera este bloqueio, e não há desbloqueio de confiança: só a equipe libera. Se é por dívida, use “Bloquear por débito”.',
    ],
    campos: ['motivo'],
    exigeMotivo: () => true,
    fazer: async ({ movimentos }, id, dados) => movimentos.bloquear(id, dados),
    feito: 'bloqueado',
  },
  {
    nome: 'bloquear-por-debito',
    permissao: 'contratos.bloquear',
    titulo: 'Bloquear por débito',
    enviar: 'Bloquear por débito',
    perigoso: true,
    cabe: ({ situacao }) => admite('bloquear_por_debito', situacao),
    acontece: () => [
      'O cliente perde o acesso em instantes.',
      'Quando nada mais estiver em atraso, o contrato é liberado sem que ninguém precise fazer nada; o desbloqueio de confiança vale.',
    ],
    alerta: async ({ regua }, { id, cliente_id }) =>
      (await regua.avisado(cliente_id, id))
        ? null
        : 'Não há aviso de débito entregue há 15 dias ou mais de uma fatura em aberto: a regulação não deixa suspender o serviço antes dele.',
    campos: ['motivo'],
    exigeMotivo: () => true,
    fazer: async ({ movimentos }, id, dados) => movimentos.bloquearPorDebito(id, dados),
    feito: 'bloqueado',
  },
  {
    nome: 'liberar',
    permissao: 'contratos.bloquear',
    titulo: 'Liberar contrato',
    enviar: 'Liberar',
    cabe: ({ situacao }) => admite('liberar', situacao),
    acontece: (contrato) => [
      'O cliente volta a ter acesso em instantes.',
      ...(porDebito(contrato)
        ? ['O bloqueio é por débito e a dívida continua: diga por que libera sem pagamento.']
        : []),
    ],
    campos: ['motivo'],
    exigeMotivo: porDebito,
    fazer: async ({ movimentos }, id, dados) => movimentos.liberar(id, dados),
    feito: 'liberado',
  },
  {
    nome: 'suspender',
    permissao: 'contratos.editar',
    titulo: 'Suspender a pedido do cliente',
    enviar: 'Suspender',
    perigoso: true,
    cabe: ({ situacao }) => admite('suspender', situacao),
    acontece: () => [
      'O cliente perde o acesso, e não se cobra enquanto estiver suspenso.',
      'Faturas que já existem continuam a ser devidas. Para voltar, reative.',
    ],
    campos: ['motivo'],
    fazer: async ({ movimentos }, id, dados) => movimentos.suspender(id, dados),
    feito: 'suspenso',
  },
  {
    nome: 'reativar',
    permissao: 'contratos.editar',
    titulo: 'Reativar contrato',
    enviar: 'Reativar',
    cabe: ({ situacao }) => admite('reativar', situacao),
    acontece: ({ situacao, bloqueio_origem }) => [
      situacao === 'cancelado'
        ? 'O cancelamento é desfeito e a cobrança volta.'
        : 'A suspensão termina e a cobrança volta.',
      bloqueio_origem === 'financeiro'
        ? 'Antes estava bloqueado por débito: se ainda houver fatura em atraso, volta bloqueado.'
        : bloqueio_origem === 'manual'
          ? 'Antes estava bloqueado pela equipe: volta bloqueado.'
          : 'O cliente volta a ter acesso em instantes.',
    ],
    campos: ['motivo', 'confirmado'],
    fazer: async ({ movimentos }, id, dados) => movimentos.reativar(id, dados),
    feito: 'contrato_reativado',
  },
  {
    nome: 'cancelar',
    permissao: 'contratos.cancelar',
    titulo: 'Cancelar contrato',
    enviar: 'Cancelar contrato',
    perigoso: true,
    cabe: ({ situacao }) => admite('cancelar', situacao),
    acontece: () => [
      'O cliente perde o acesso em instantes. O que venceu continua a ser devido.',
      `O contrato pode ser reativado por ${DIAS_ATE_ENCERRAR} dias, e o login fica guardado até lá.`,
    ],
    campos: ['faturas_futuras', 'motivo'],
    fazer: async ({ movimentos }, id, dados) => movimentos.cancelar(id, dados),
    feito: 'cancelado',
  },
  {
    nome: 'encerrar',
    permissao: 'contratos.cancelar',
    titulo: 'Cancelar em definitivo',
    enviar: 'Cancelar em definitivo',
    perigoso: true,
    cabe: ({ situacao }) => admite('encerrar', situacao),
    acontece: () => ['O login é solto, e outro contrato pode usá-lo.', 'Não há volta: o contrato não se reativa mais.'],
    campos: [],
    fazer: async ({ movimentos }, id, dados) => movimentos.encerrar(id, dados),
    feito: 'contrato_encerrado',
  },
];

const DO_MOTIVO = { motivo: opcional(ouNulo(texto(1, 500))) } as const;

/** The reason of a trust unblock. @throws CamposInvalidos */
export const motivoDaConfianca = (dados: unknown): string | null => lerCampos(DO_MOTIVO, dados).motivo ?? null;
