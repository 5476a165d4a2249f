import { gerarCodigoBarras, linhaDigitavel } from '../../src/brazil/boleto/boleto.ts';
import { somarDias } from '../../src/brazil/calendario/datas.ts';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import { centavos } from '../../src/brazil/dinheiro/dinheiro.ts';
import type { BoletosParaImprimir, ParcelaImpressa } from '../../workers/threads/boletos-pdf/contract.ts';
import { gerarPixEstatico } from '../../src/brazil/pix/pix.ts';

const EMISSAO = '2026-11-01' as Data;

/** The n-th instalment, each with codes of its own. */
export function parcelaDeExemplo(n = 1, mudancas: Partial<ParcelaImpressa> & { banco?: string } = {}): ParcelaImpressa {
  const { banco = '237', ...campos } = mudancas;
  const vencimento = somarDias(EMISSAO, 9 + 30 * (n - 1));
  const valor = centavos(9989 + n);
  const campoLivre = `2949600000000004030006${String(n).padStart(3, '0')}`;
  const codigoBarras = gerarCodigoBarras({ banco, vencimento, valor, campoLivre });
  const recebedor = { chave: '4004901d-bd85-4769-8e52-cb4c42c506dc', nome: 'MALHA TELECOM', cidade: 'SAO PAULO' };
  const comEncargos = centavos(valor + 233);
  return {
    codigoBarras,
    linhaDigitavel: linhaDigitavel(codigoBarras),
    numeroDocumento: `FAT-${1000 + n}`,
    agenciaCodigo: '1234-5 / 0012345-6',
    carteira: '09',
    nossoNumero: `09/${String(n).padStart(11, '0')}-P`,
    descricao: 'Internet fibra 600 Mega',
    parcela: null,
    emissao: EMISSAO,
    vencimento,
    valor,
    instrucoes: ['Depois do vencimento, multa de 2,00% e juros de 1,00% ao mês.', 'Não receber depois de 60 dias.'],
    pix: {
      codigo: gerarPixEstatico({ ...recebedor, valor: comEncargos, txid: `MALHA${1000 + n}` }),
      quanto: { valor: comEncargos, validoAte: '2026-11-21' as Data },
    },
    ...campos,
  };
}

export function boletosDeExemplo(mudancas: Partial<BoletosParaImprimir> = {}): BoletosParaImprimir {
  return {
    formato: 'boleto',
    titulo: 'Boleto FAT-1001',
    beneficiario: {
      nome: 'Malha Telecomunicações Ltda',
      documento: '12ABC34501DE35',
      endereco: 'Avenida Paulista, 1000, Bela Vista, São Paulo - SP, 01310-100',
      logo: null,
      contato: '(11) 4002-8922',
    },
    pagador: {
      nome: 'João da Silva Conceição',
      documento: '52998224725',
      endereco: 'Rua das Flores, 123, Centro, São Paulo - SP, 01001-000',
    },
    parcelas: [parcelaDeExemplo()],
    ...mudancas,
  };
}

export function carneDeExemplo(laminas: number): BoletosParaImprimir {
  return boletosDeExemplo({
    formato: 'carne',
    titulo: 'Carnê',
    parcelas: Array.from({ length: laminas }, (_, n) => parcelaDeExemplo(n + 1, { parcela: `${n + 1}/${laminas}` })),
  });
}
