import { inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { EventoEscrito } from '../../eventos/traducao.regras.ts';
import type { Fatura } from '../../faturas/faturas.types.ts';
import { regraDoTipo } from '../tipos.regras.ts';
import type { NomeDePush } from '../tipos.regras.ts';
import { avisosDe } from './avisos.regras.ts';

/** A notice to a subscriber, as it would be of an invented invoice, contract or ticket. */
export interface Amostra {
  readonly tipo: NomeDePush;
  readonly dito: string;
  readonly titulo: string;
  readonly texto: string;
}

const UM = 1;
const VENCIDA = 2;
const VALOR = centavos(9990);

/** An event of each kind that a subscriber is told; what staff writes themselves has none. */
const eventosDe = (ate: string): readonly EventoEscrito[] => [
  { tipo: 'fatura.criada', recursoId: UM, dados: null },
  { tipo: 'fatura.a_vencer', recursoId: UM, dados: null },
  { tipo: 'fatura.vencida', recursoId: VENCIDA, dados: null },
  { tipo: 'fatura.paga', recursoId: UM, dados: { cliente: UM, valor: '99.90' } },
  { tipo: 'nfcom.autorizada', recursoId: UM, dados: { cliente: UM, fatura: UM, valor: '99.90', ambiente: 'producao' } },
  { tipo: 'contrato.bloqueado', recursoId: UM, dados: { cliente: UM, origem: 'financeiro' } },
  { tipo: 'contrato.liberado', recursoId: UM, dados: { cliente: UM } },
  { tipo: 'contrato.desbloqueio_terminando', recursoId: UM, dados: { cliente: UM, ate } },
  { tipo: 'chamado.atualizado', recursoId: UM, dados: { campos: ['comentario'], por: 'equipe' } },
  { tipo: 'chamado.atualizado', recursoId: UM, dados: { campos: ['agendamento'] } },
  { tipo: 'chamado.atualizado', recursoId: UM, dados: { campos: [], de: 'aberto', para: 'solucionado' } },
  { tipo: 'rede.aviso_aberto', recursoId: UM, dados: { origem: 'equipe' } },
  { tipo: 'acesso.senha_trocada', recursoId: UM, dados: { cliente: UM } },
];

const faturaDe = (id: number, vencimento: Data): Fatura => ({
  id,
  clienteId: UM,
  contratoId: null,
  descricao: null,
  tipo: null,
  valor: VALOR,
  valorPago: VALOR,
  abatido: centavos(0),
  vencimento,
  emitidaEm: new Date(0),
  pagoEm: null,
  boletoSituacao: null,
  situacao: 'pendente',
  valorAtualizado: null,
  multa: centavos(0),
  juros: centavos(0),
  aPagar: VALOR,
  diasEmAtraso: 0,
  pagaEmParte: false,
  segundaVia: null,
});

/** What subscribers are told, one text of each kind, by the same rules by which it is told. */
export function amostrasDosAvisos(fuso: string, hoje: Data): readonly Amostra[] {
  const amanha = inicioDoDiaEm(fuso, somarDias(hoje, 1));
  const contexto = {
    fuso,
    temRegua: false,
    faturas: new Map([
      [UM, faturaDe(UM, somarDias(hoje, 3))],
      [VENCIDA, faturaDe(VENCIDA, somarDias(hoje, -3))],
    ]),
    chamados: new Map([
      [
        UM,
        {
          cliente_id: UM,
          contrato_id: null,
          situacao: 'aberto',
          prioridade: 'normal',
          categoria: null,
          origem: 'app',
          agendadoPara: new Date(amanha.getTime() + 14 * 3_600_000),
          responsavelId: null,
        } as const,
      ],
    ]),
    notas: new Map(),
    avisos: new Map([[UM, { titulo: 'Fibra rompida no Centro', texto: 'A equipe já está no local.' }]]),
  };
  const amostras = new Map<NomeDePush, Amostra>();
  for (const evento of eventosDe(amanha.toISOString())) {
    for (const { tipo, titulo, texto } of avisosDe(evento, contexto)) {
      const { cliente, dito } = regraDoTipo(tipo);
      if (cliente === true) amostras.set(tipo, { tipo, dito, titulo, texto });
    }
  }
  return [...amostras.values()];
}
