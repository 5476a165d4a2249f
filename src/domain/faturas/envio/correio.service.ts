import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { escreverReais } from '../../../brazil/dinheiro/escrita.ts';
import type { Correio } from '../../../platform/mail/mail.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Consumer } from '../../../platform/mysql/outbox-consumer.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { apurarFaturas } from '../apuracao.service.ts';
import { COLUNAS_DA_FATURA } from '../faturas.types.ts';
import type { Fatura } from '../faturas.types.ts';

/** What sends second copies by mail. Its events wait for it by this name. */
export const SEGUNDAS_VIAS_POR_EMAIL: Pick<Consumer, 'name' | 'wants'> = {
  name: 'segundas_vias',
  wants: (tipo) => tipo === 'fatura.segunda_via_por_email',
};

export interface CorreioDeFaturasDeps {
  readonly relogio: Relogio;
  readonly correio: Correio;
  readonly provedores: Pick<ProvedoresService, 'buscarPorId'>;
}

const DO_CLIENTE = columns<{ id: number; email: string | null }>('clientes', { id: true, email: true });

/** Sends second copies to the address on record, as the invoice is then: what was paid meanwhile is not asked for again. */
export function createCorreioDeFaturasService({ relogio, correio, provedores }: CorreioDeFaturasDeps): Consumer {
  return {
    ...SEGUNDAS_VIAS_POR_EMAIL,
    async consume(_w, events, tenant) {
      const provedor = correio.ativo ? await provedores.buscarPorId(tenant.provedorId) : null;
      if (provedor === null) return;
      const ids = [...new Set(events.flatMap(({ recursoId }) => recursoId ?? []))];
      const rows = await rowsOf(tenant.from('faturas').whereIn('faturas.id', ids), COLUNAS_DA_FATURA);
      const faturas = await apurarFaturas(tenant, provedor, hojeEm(provedor.fusoHorario, relogio.agora()), rows);
      const clientes = faturas.map(({ clienteId }) => clienteId);
      const enderecos = await rowsOf(tenant.from('clientes').whereIn('id', clientes), DO_CLIENTE);
      const para = new Map(enderecos.map(({ id, email }) => [id, email]));
      for (const fatura of faturas) {
        const email = para.get(fatura.clienteId) ?? '';
        if (email === '' || fatura.segundaVia === null) continue;
        await correio.enviar({ para: email, ...textoDaSegundaVia(provedor, fatura) });
      }
    },
  };
}

const emData = (data: string): string => data.split('-').toReversed().join('/');

/** Without the client's name, which the address need not be of. */
function textoDaSegundaVia({ nome }: { readonly nome: string }, fatura: Fatura) {
  const { segundaVia, vencimento, aPagar, descricao } = fatura;
  const linha = (antes: string, dito: string | null | undefined): string[] =>
    typeof dito === 'string' ? [`${antes}${dito}`] : [];
  const linhas = [
    ...linha('Para pagar: ', segundaVia?.linkPagamento),
    ...linha('PIX copia e cola:\n', segundaVia?.pix?.codigo),
    ...linha('Linha digitável do boleto:\n', segundaVia?.boleto?.linhaDigitavel),
    ...linha('Boleto em PDF: ', segundaVia?.pdf),
  ];
  return {
    assunto: `Segunda via da sua fatura de ${nome}, vencimento ${emData(vencimento)}`,
    texto: `Olá.

Segue a segunda via que foi pedida${descricao === null ? '' : ` (${descricao})`}. Vencimento: ${emData(vencimento)}. Valor para pagar hoje: ${escreverReais(aPagar)}.

${linhas.join('\n\n')}

Se já pagou, desconsidere esta mensagem. Na dúvida, fale com ${nome} pelos telefones de sempre.
`,
  };
}
