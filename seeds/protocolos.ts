import { lerData } from '../src/brazil/calendario/datas.ts';
import { protocoloDe } from '../src/domain/protocolos/protocolos.regras.ts';
import type { Calendario } from './calendario.ts';
import type { LinhaAtendimento, LinhaChamado, LinhaDeProtocolos, LinhaPromessa } from './modelo.ts';
import type { FaturaGerada } from './modelo.ts';

const CONTATOS = [
  ['chatbot', 'Segunda via', 'Recebeu o PIX pelo chatbot.'],
  ['ura', 'Dúvida sobre a fatura', null],
  ['telefone', 'Troca de senha do Wi-Fi', 'Feita com o cliente na linha.'],
  ['loja', 'Mudança de endereço', null],
] as const;
const PROMESSAS = 3;
/** Days ahead. */
const PROMETIDO_PARA = 3;

/** Numbers tickets by their days, with a contact each, and makes a few contacts of today that opened none. */
export function numerar(
  calendario: Calendario,
  chamados: readonly Omit<LinhaChamado, 'protocolo'>[],
  ids: { readonly contratos: readonly { readonly cliente_id: number }[] },
): { chamados: LinhaChamado[]; atendimentos: LinhaAtendimento[]; dias: LinhaDeProtocolos[] } {
  const { agora, hoje } = calendario;
  const ultimos = new Map<string, number>();
  const proximo = (dia: string): string => {
    const numero = (ultimos.get(dia) ?? 0) + 1;
    ultimos.set(dia, numero);
    const data = lerData(dia);
    if (data === null) throw new RangeError(dia);
    return protocoloDe(data, numero);
  };
  const instante = (texto: string): Date => new Date(`${texto.replace(' ', 'T')}Z`);
  const protocolos = new Map<number, string>();
  const porAbertura = chamados
    .map((_, n) => n)
    .toSorted((a, b) => ((chamados[a]?.aberto_em ?? '') < (chamados[b]?.aberto_em ?? '') ? -1 : 1));
  for (const n of porAbertura) protocolos.set(n, proximo(calendario.diaDe(instante(chamados[n]?.aberto_em ?? ''))));
  const numerados = chamados.map((chamado, n) => ({ ...chamado, protocolo: protocolos.get(n) ?? '' }));
  const deChamados = numerados.map(
    ({ protocolo, cliente_id, contrato_id, origem, aberto_em }, n): LinhaAtendimento => ({
      protocolo,
      tipo: 'chamado',
      canal: origem === 'app' ? 'app' : null,
      cliente_id,
      contrato_id,
      chamado_id: n,
      assunto: null,
      resumo: null,
      autor: null,
      aberto_em,
    }),
  );
  const aberto_em = agora.toISOString().slice(0, 23).replace('T', ' ');
  const contatos = CONTATOS.map(([canal, assunto, resumo], n): LinhaAtendimento => ({
    protocolo: proximo(hoje),
    tipo: 'contato',
    canal,
    cliente_id: ids.contratos[n]?.cliente_id ?? 0,
    contrato_id: n,
    chamado_id: null,
    assunto,
    resumo,
    autor: 'Chatbot',
    aberto_em,
  }));
  const dias = [...ultimos].map(([dia, ultimo]) => ({ dia, ultimo }));
  return { chamados: numerados, atendimentos: [...deChamados, ...contatos], dias };
}

/** A few subscribers who owe promised to pay soon: each of another contract. */
export function gerarPromessas(calendario: Calendario, faturas: readonly FaturaGerada[]): LinhaPromessa[] {
  const { agora, hoje } = calendario;
  const devidas = new Map<number, FaturaGerada>();
  for (const fatura of faturas) {
    const { contrato_id: contrato, situacao, vencimento } = fatura.linha;
    const aberta = situacao === 'pendente' || situacao === 'vencida';
    if (aberta && contrato !== null && vencimento < hoje && !devidas.has(contrato)) devidas.set(contrato, fatura);
  }
  return [...devidas].slice(0, PROMESSAS).map(([contrato_id, { linha }]) => ({
    cliente_id: linha.cliente_id,
    contrato_id,
    data: calendario.diasAtras(-PROMETIDO_PARA),
    autor: 'Chatbot',
    registrada_em: agora.toISOString().slice(0, 23).replace('T', ' '),
  }));
}
