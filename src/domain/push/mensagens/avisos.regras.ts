import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { escreverData, escreverReais } from '../../../brazil/dinheiro/escrita.ts';
import { lerData } from '../../../brazil/calendario/datas.ts';
import type { DadosDosEventos } from '../../eventos/catalogo.types.ts';
import type { ChamadoDito, NotaDita } from '../../eventos/contexto.types.ts';
import type { EventoEscrito } from '../../eventos/traducao.regras.ts';
import type { Fatura } from '../../faturas/faturas.types.ts';
import type { NomeDePush } from '../tipos.regras.ts';
import type { Aviso, ContextoDePush, Para, Traducao, Traducoes } from './avisos.types.ts';
import { DA_EQUIPE, aEquipe, da } from './da-equipe.regras.ts';
import { APARELHO_NOVO, CONTATOS, REUSO, SENHA, quando } from './textos.regras.ts';

const TRADUCOES = {
  // Of a booklet's or an agreement's, which are made together, the first speaks for all, also where it is paid by now, as at a counter.
  'fatura.criada': daFatura((f, dados: DadosDosEventos['fatura.criada'] | null) => {
    const { parcela = 1, parcelas = 1 } = dados ?? {};
    const disponiveis = f.situacao === 'paga' ? parcelas - 1 : parcelas;
    if (parcela > 1 || disponiveis === 0 || !(aberta(f) || f.situacao === 'paga')) return [];
    const titulo = disponiveis === 1 ? 'Fatura disponível' : `${disponiveis} faturas disponíveis`;
    if (!aberta(f)) return [aoDono('fatura_disponivel', f, titulo, 'Além da primeira, que já está paga.')];
    return [aoDono('fatura_disponivel', f, titulo, parcelas === 1 ? aPagarAte(f) : `A primeira: ${aPagarAte(f)}`)];
  }),
  // Where a ladder goes, it says the same on its own days.
  'fatura.a_vencer': daFatura((f, _dados, { temRegua }) =>
    aberta(f) && !temRegua ? [aoDono('fatura_a_vencer', f, 'Fatura a vencer', aPagarAte(f))] : [],
  ),
  'fatura.vencida': daFatura((f, _dados, { temRegua }) => {
    const texto = `Venceu em ${escreverData(f.vencimento)}. Hoje são ${escreverReais(f.aPagar)}.`;
    return aberta(f) && !temRegua ? [aoDono('fatura_vencida', f, 'Fatura vencida', texto)] : [];
  }),
  'fatura.cobrada': daFatura((f, { passo, prazo }: DadosDosEventos['fatura.cobrada']) => {
    if (!aberta(f)) return [];
    if (passo === 'lembrete') return [aoDono('fatura_a_vencer', f, 'Fatura a vencer', aPagarAte(f))];
    if (passo === 'vencimento') return [aoDono('fatura_a_vencer', f, 'Fatura vence hoje', aPagarAte(f))];
    const data = prazo === null ? null : lerData(prazo);
    const bloqueio =
      data === null ? '' : ` Sem pagamento, o serviço pode ser bloqueado a partir de ${escreverData(data)}.`;
    const texto = `Fatura ${f.id}, vencida em ${escreverData(f.vencimento)}: hoje são ${escreverReais(f.aPagar)}.${bloqueio}`;
    return [aoDono('fatura_vencida', f, 'Aviso de débito', texto)];
  }),
  'fatura.paga': daFatura((f, { excedente }: DadosDosEventos['fatura.paga']) => [
    pagamento(f, `Recebemos ${escreverReais(f.valorPago)}. Obrigado.`),
    ...(excedente === undefined ? [] : [aMais(f)]),
  ]),
  'fatura.paga_em_parte': daFatura((f) => [
    pagamento(f, `Recebemos ${escreverReais(f.valorPago)}; faltam ${escreverReais(f.aPagar)}.`),
  ]),
  'fatura.paga_a_mais': daFatura((f) => [aMais(f)]),
  'fatura.estornada': daFatura((f) => [estorno(f, 'foi devolvido tudo o que se pagou.')]),
  'fatura.devolvida_em_parte': daFatura((f) => [estorno(f, 'foi devolvido parte do que se pagou.')]),

  'nfcom.autorizada': ({ recursoId, dados }, { notas }) => {
    const { cliente, fatura: id, valor } = dados;
    const { ambiente, finalidade }: Partial<NotaDita> = notas.get(recursoId) ?? dados;
    // A trial's has no fiscal value, and an adjustment is not the invoice's note.
    if (ambiente !== 'producao' || finalidade === 'ajuste') return [];
    const texto = `A nota fiscal de ${escreverReais(lerDinheiro(valor))} está disponível.`;
    return [aoDono('nfcom_disponivel', { id, clienteId: cliente }, 'Nota fiscal disponível', texto)];
  },
  'nfcom.certificado_expirando': ({ recursoId, dados: { dias } }) => {
    const texto =
      dias <= 1 ? 'Sem outro, não se emite nota fiscal.' : `Faltam ${dias} dias: guarde o novo antes disso.`;
    return [aEquipe('certificado_expirando', da('certificado', recursoId), 'O certificado A1 vai vencer', texto)];
  },

  'contrato.bloqueado': ({ recursoId, dados: { cliente, origem } }) => [
    {
      tipo: 'contrato_bloqueado',
      para: { cliente },
      recurso: da('contrato', recursoId),
      titulo: 'Contrato bloqueado',
      texto: origem === 'financeiro' ? 'Há fatura em atraso. Pague pelo app para liberar.' : 'Fale com o provedor.',
    },
  ],
  'contrato.rescisao_avisada': ({ recursoId, dados: { cliente, valor, prazo } }) => {
    const data = lerData(prazo);
    if (data === null) return [];
    return [
      {
        tipo: 'contrato_bloqueado',
        para: { cliente },
        recurso: da('contrato', recursoId),
        titulo: 'Aviso de rescisão',
        texto: `Em aberto: ${escreverReais(lerDinheiro(valor))}. Sem pagamento, o contrato pode ser rescindido a partir de ${escreverData(data)}.`,
      },
    ];
  },
  'contrato.liberado': ({ recursoId, dados: { cliente } }) => [
    {
      tipo: 'contrato_liberado',
      para: { cliente },
      recurso: da('contrato', recursoId),
      titulo: 'Contrato liberado',
      texto: 'A sua conexão volta em instantes.',
    },
  ],
  'contrato.desbloqueio_terminando': ({ recursoId, dados: { cliente, ate } }, { fuso }) => [
    {
      tipo: 'desbloqueio_terminando',
      para: { cliente },
      recurso: da('contrato', recursoId),
      titulo: 'O desbloqueio termina hoje',
      texto: `O desbloqueio de confiança vale até ${quando(fuso, new Date(ate))}. Pague a fatura para não ficar sem conexão.`,
    },
  ],

  'chamado.aberto': doChamado((id, { prioridade, origem }) => [
    ...(prioridade === 'urgente' ? [urgente(id)] : []),
    ...(origem === 'api' || origem === 'app'
      ? [aEquipe('chamado_novo', da('chamado', id), 'Chamado novo', `Chamado ${id}, aberto pelo cliente.`)]
      : []),
  ]),
  'chamado.atualizado': doChamado(
    (id, chamado, { campos, de, para, por }: DadosDosEventos['chamado.atualizado'], fuso) => {
      const { cliente_id: cliente, agendadoPara, responsavelId } = chamado;
      const ditos: Aviso[] = [];
      const aoCliente = (tipo: NomeDePush, titulo: string, texto: string): void =>
        void ditos.push({ tipo, para: { cliente }, recurso: da('chamado', id), titulo, texto });
      if (para !== de && para === 'solucionado') {
        aoCliente('chamado_solucionado', 'Chamado solucionado', `O chamado ${id} foi solucionado.`);
      } else if (campos.includes('agendamento')) {
        if (agendadoPara !== null) {
          const texto = `Visita do chamado ${id}: ${quando(fuso, agendadoPara)}.`;
          aoCliente('chamado_agendado', 'Visita marcada', texto);
          if (responsavelId !== null)
            ditos.push(aPessoa('chamado_agendado', responsavelId, id, 'Visita marcada', texto));
        }
      } else if (campos.includes('comentario') && por !== 'cliente' && para !== 'reaberto') {
        aoCliente('chamado_respondido', 'Resposta no seu chamado', `Há uma resposta no chamado ${id}.`);
      }
      if (campos.includes('prioridade') && chamado.prioridade === 'urgente') ditos.push(urgente(id));
      return ditos;
    },
  ),
  'chamado.atribuido': doChamado((id, _chamado, { para }: DadosDosEventos['chamado.atribuido']) =>
    para === null ? [] : [aPessoa('chamado_atribuido', para, id, 'Chamado seu', `O chamado ${id} passou a ser seu.`)],
  ),
  'chamado.proximo': doChamado((id, { responsavelId, agendadoPara }, _dados, fuso) =>
    responsavelId === null || agendadoPara === null
      ? []
      : [
          aPessoa(
            'chamado_proximo',
            responsavelId,
            id,
            'Visita daqui a pouco',
            `Chamado ${id}: ${quando(fuso, agendadoPara)}.`,
          ),
        ],
  ),

  'rede.aviso_aberto': ({ recursoId, dados: { origem } }, { avisos }) => {
    const aviso = avisos.get(recursoId);
    if (aviso === undefined) return [];
    const recurso = da('aviso', recursoId);
    return [
      { tipo: 'aviso_de_rede', para: { aviso: recursoId }, recurso, ...aviso },
      ...(origem === 'detectado'
        ? [aEquipe('quedas_em_massa', recurso, 'Quedas em massa', `${aviso.titulo}. Confira e confirme o aviso.`)]
        : []),
    ];
  },

  'cliente.pre_cadastrado': ({ recursoId }) => [
    aEquipe(
      'pre_cadastro_novo',
      da('cliente', recursoId),
      'Pré-cadastro recebido',
      'Alguém se cadastrou por um convite.',
    ),
  ],
  'cliente.atualizado': ({ dados: { cliente, campos } }) => {
    const mudaram = campos.flatMap((campo) => CONTATOS[campo] ?? []);
    return mudaram.length === 0 ? [] : [seguranca({ cliente }, `No seu cadastro mudou: ${mudaram.join(' e ')}.`)];
  },
  'acesso.aparelho_novo': ({ recursoId, dados: { sessao } }) => [
    seguranca({ acesso: recursoId, menosSessao: sessao }, APARELHO_NOVO),
  ],
  'sessao.iniciada': ({ recursoId, dados: { usuario_id: usuario, onde } }) =>
    onde === 'app' ? [seguranca({ usuario, menosSessao: recursoId }, APARELHO_NOVO)] : [],
  'acesso.senha_definida': ({ dados: { cliente } }) => [seguranca({ cliente }, SENHA)],
  'acesso.senha_trocada': ({ dados: { cliente } }) => [seguranca({ cliente }, SENHA)],
  'sessao.reuso_detectado': ({ dados: { acesso, usuario_id: usuario } }) => [
    ...(acesso === null ? [] : [seguranca({ acesso }, REUSO)]),
    ...(usuario === null
      ? []
      : [
          seguranca({ usuario }, REUSO),
          seguranca(
            { equipe: true },
            'Uma sessão do app, de alguém da equipe, foi encerrada: o acesso pode ter sido copiado.',
          ),
        ]),
  ],

  ...DA_EQUIPE,
} as const satisfies Traducoes;

/** Whether somebody may be told of events of this name. */
export const avisaDe = (tipo: string): tipo is keyof typeof TRADUCOES => Object.hasOwn(TRADUCOES, tipo);

/** What is to be told of an event, and to whom. */
export function avisosDe({ tipo, recursoId, dados }: EventoEscrito, contexto: ContextoDePush): readonly Aviso[] {
  if (!avisaDe(tipo)) return [];
  // What is written was typed by the catalogue. A session has no id of its own in what ends it.
  const traducao = TRADUCOES[tipo] as Traducao<unknown>;
  return traducao({ recursoId: recursoId ?? 0, dados }, contexto);
}

const aberta = ({ situacao }: Fatura): boolean => situacao === 'pendente' || situacao === 'vencida';

const aPagarAte = ({ aPagar, vencimento }: Fatura): string =>
  `${escreverReais(aPagar)}, com vencimento em ${escreverData(vencimento)}.`;

const aoDono = (
  tipo: NomeDePush,
  { id, clienteId }: Pick<Fatura, 'id' | 'clienteId'>,
  titulo: string,
  texto: string,
): Aviso => ({
  tipo,
  para: { cliente: clienteId },
  recurso: da('fatura', id),
  titulo,
  texto,
});

const pagamento = (f: Fatura, texto: string): Aviso => aoDono('pagamento_confirmado', f, 'Pagamento confirmado', texto);

const aMais = ({ id }: Fatura): Aviso =>
  aEquipe('pagamento_a_mais', da('fatura', id), 'Pagamento a mais', `Fatura ${id}: recebeu mais do que devia.`);

const estorno = ({ id }: Fatura, oque: string): Aviso =>
  aEquipe('estorno', da('fatura', id), 'Pagamento estornado', `Fatura ${id}: ${oque}`);

const urgente = (id: number): Aviso =>
  aEquipe('chamado_urgente', da('chamado', id), 'Chamado urgente', `O chamado ${id} é urgente.`);

const aPessoa = (tipo: NomeDePush, usuario: number, chamado: number, titulo: string, texto: string): Aviso => ({
  tipo,
  para: { usuario },
  recurso: da('chamado', chamado),
  titulo,
  texto,
});

/** Whose it is says who is told. */
const ACESSO = da('acesso', 0);

const seguranca = (para: Para, texto: string): Aviso => ({
  tipo: 'seguranca',
  para,
  recurso: ACESSO,
  titulo: 'Segurança do seu acesso',
  texto,
  unico: true,
});

/** Of an event whose resource is an invoice; nothing where it is gone. */
function daFatura<Dados>(
  dizer: (fatura: Fatura, dados: Dados, contexto: ContextoDePush) => readonly Aviso[],
): Traducao<Dados> {
  return ({ recursoId, dados }, contexto) => {
    const fatura = contexto.faturas.get(recursoId);
    return fatura === undefined ? [] : dizer(fatura, dados, contexto);
  };
}

/** Of an event whose resource is a ticket; nothing where it is gone. */
function doChamado<Dados>(
  dizer: (id: number, chamado: ChamadoDito, dados: Dados, fuso: string) => readonly Aviso[],
): Traducao<Dados> {
  return ({ recursoId, dados }, { chamados, fuso }) => {
    const chamado = chamados.get(recursoId);
    return chamado === undefined ? [] : dizer(recursoId, chamado, dados, fuso);
  };
}
