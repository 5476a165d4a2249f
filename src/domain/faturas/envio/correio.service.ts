import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { escreverReais } from '../../../brazil/dinheiro/escrita.ts';
import type { Correio } from '../../../platform/mail/mail.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Consumer } from '../../../platform/mysql/outbox-consumer.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { pedirCorreio } from '../../correio/pedir.service.ts';
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
  readonly correio: Pick<Correio, 'ativo'>;
  readonly provedores: Pick<ProvedoresService, 'buscarPorId'>;
}

const DO_CLIENTE = columns<{ id: number; email: string | null }>('clientes', { id: true, email: true });

/** Who asked for it waits for it. */
const VALIDADE_MS = 24 * 3_600_000;

/** Has second copies sent to the address on record, as the invoice is then: what was paid meanwhile is not asked for again. */
export function createCorreioDeFaturasService({ relogio, correio, provedores }: CorreioDeFaturasDeps): Consumer {
  return {
    ...SEGUNDAS_VIAS_POR_EMAIL,
    async consume(w, events, tenant) {
      const provedor = correio.ativo ? await provedores.buscarPorId(tenant.provedorId) : null;
      if (provedor === null) return;
      const ids = [...new Set(events.flatMap(({ recursoId }) => recursoId ?? []))];
      const rows = await rowsOf(tenant.from('faturas').whereIn('faturas.id', ids), COLUNAS_DA_FATURA);
      const faturas = await apurarFaturas(tenant, provedor, hojeEm(provedor.fusoHorario, relogio.agora()), rows);
      const clientes = faturas.map(({ clienteId }) => clienteId);
      const enderecos = await rowsOf(tenant.from('clientes').whereIn('id', clientes), DO_CLIENTE);
      const para = new Map(enderecos.map(({ id, email }) => [id, email]));
      const porId = new Map(faturas.map((fatura) => [fatura.id, fatura]));
      const agora = relogio.agora();
      const expiraEm = new Date(agora.getTime() + VALIDADE_MS);
      const cartas = events.flatMap(({ id, recursoId }) => {
        const fatura = recursoId === null ? undefined : porId.get(recursoId);
        const email = para.get(fatura?.clienteId ?? 0) ?? '';
        if (fatura === undefined || email === '' || fatura.segundaVia === null) return [];
        const { clienteId } = fatura;
        return [{ chave: String(id), clienteId, para: email, expiraEm, ...textoDaSegundaVia(provedor, fatura) }];
      });
      await pedirCorreio(w, 'segunda_via', cartas, agora);
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
