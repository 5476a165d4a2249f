import type { Command } from 'commander';
import type { FaturaRetirada } from '../../domain/faturas/conferencia.service.ts';
import { comando, inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';

const DO_BOLETO = {
  linha_ilegivel: 'a linha digitável não se lê, ou um dígito verificador está errado',
  outras_barras: 'o código de barras é de outro boleto',
  outro_valor: 'o boleto é de outro valor',
  outro_vencimento: 'o boleto é de outro vencimento',
  outro_nosso_numero: 'o nosso número não é o da linha',
  outro_banco: 'sem papel: a agência e a carteira do provedor são de outro banco',
  outra_agencia: 'sem papel: a agência do provedor não é a da linha',
  outra_carteira: 'sem papel: a carteira do provedor não é a da linha',
} as const satisfies Record<NonNullable<FaturaRetirada['retirado']['boleto']>, string>;

const DO_PIX = {
  codigo_ilegivel: 'o código não se lê, ou o CRC está errado',
  codigo_estatico: 'o código é estático, e o txid é de uma cobrança do PSP',
  outro_txid: 'o código é de outro txid',
  outro_valor: 'o código leva outro valor que o devido hoje',
  paga_em_parte: 'parte já foi paga, e o código é de antes',
} as const satisfies Record<NonNullable<FaturaRetirada['retirado']['pix']>, string>;

/** `malha provedor conferir` */
export function comandoDeConferencia(provedor: Command, sessao: Sessao): void {
  comando(provedor.command('conferir'))
    .usage('<id> [opções]')
    .description('lista as faturas em aberto cujo boleto ou código PIX guardado não confere, e por isso foi retirado')
    .argument('<id>', 'id do provedor', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (id: number, { json }: { json?: boolean }) => {
      await sessao.comContainer(async ({ provedores, conferencia }) => {
        const encontrado = await provedores.exigirPorId(id);
        const todas: FaturaRetirada[] = [];
        for await (const retirada of conferencia.retiradas(encontrado)) todas.push(retirada);
        const valor = todas.map(({ id: fatura_id, retirado: { boleto, pix } }) => ({ fatura_id, boleto, pix }));
        sessao.mostrar(json, valor, [
          ...todas.flatMap(linhasDe),
          todas.length === 0 ? 'Tudo confere.' : `Faturas com algo retirado: ${todas.length}.`,
        ]);
      });
    });
}

function linhasDe({ id, retirado: { boleto, pix } }: FaturaRetirada): string[] {
  return [
    ...(boleto === null ? [] : [`${id}  boleto  ${DO_BOLETO[boleto]}`]),
    ...(pix === null ? [] : [`${id}  PIX     ${DO_PIX[pix]}`]),
  ];
}
