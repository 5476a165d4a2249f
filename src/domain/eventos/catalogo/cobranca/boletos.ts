import { campos, data, evento, id, nomes, quantos, semDados } from '../evento.ts';

const daFatura = campos({ fatura: id, cliente: id });
const exemplo = { fatura: 56, cliente: 12 } as const;

/** What happens between a provider and its banks about boletos. `recurso_id` of `boleto.` is the title's, save where it says otherwise. */
export const DOS_BOLETOS = {
  'convenio.criado': evento({
    descricao: 'Cadastrou-se um convênio bancário.',
    sai: false,
    dados: campos({ banco: { type: 'string' } }),
    exemplo: { banco: '756' },
  }),
  'convenio.alterado': evento({
    descricao: 'Mudaram campos de um convênio bancário; `emite`: passou a registrar os boletos da conta.',
    sai: false,
    dados: campos({ campos: nomes }),
    exemplo: { campos: ['emite'] },
  }),
  'convenio.desativado': semDados(false, 'Um convênio bancário deixou de registrar os boletos da conta.'),
  'remessa.gerada': evento({
    descricao: 'Fez-se um arquivo de remessa.',
    sai: false,
    dados: campos({ convenio: id, entradas: quantos, instrucoes: quantos, recusadas: quantos }),
    exemplo: { convenio: 1, entradas: 120, instrucoes: 3, recusadas: 1 },
  }),
  'remessa.baixada': semDados(false, 'Uma pessoa baixou um arquivo de remessa.'),
  'remessa.enviada': semDados(false, 'Uma pessoa disse que o banco tem a remessa.'),
  'remessa.desfeita': semDados(false, 'Desfez-se uma remessa que não saiu.'),
  'remessa.recusada_pelo_banco': semDados(
    false,
    'Uma pessoa disse que o banco recusou uma remessa inteira: os boletos dela esperam outra.',
  ),
  'remessas.geradas': evento({
    descricao: 'Fizeram-se as remessas de um dia.',
    sai: false,
    dados: campos({ dia: data, linhas: quantos }),
    exemplo: { dia: '2026-12-01', linhas: 1 },
  }),
  'retorno.recebido': evento({
    descricao: 'Recebeu-se um arquivo de retorno.',
    sai: false,
    dados: campos({ convenio: id, linhas: quantos }),
    exemplo: { convenio: 1, linhas: 98 },
  }),
  'retorno.concluido': evento({
    descricao: 'Acabou-se de aplicar um arquivo de retorno.',
    sai: false,
    dados: campos({ linhas: quantos }),
    exemplo: { linhas: 98 },
  }),
  'retorno.parado': evento({
    descricao: 'Um arquivo de retorno não se consegue aplicar; tenta-se de novo, e os que vieram depois seguem.',
    sai: false,
    dados: campos({ feitas: quantos, partes: quantos }),
    exemplo: { feitas: 2, partes: 5 },
  }),
  'retorno.linhas_ilegiveis': evento({
    descricao: 'Um retorno tem linhas que dizem o que não pode ser, e que não contaram.',
    sai: false,
    dados: campos({ linhas: quantos }),
    exemplo: { linhas: 2 },
  }),
  'retorno.a_tentar': semDados(false, 'Uma pessoa mandou aplicar de novo um retorno que falhava.'),
  'remessa.recusada': evento({
    descricao: 'A remessa do dia de um convênio não se pôde fazer; o recurso é o convênio.',
    sai: false,
    dados: campos({ motivo: { type: 'string' } }),
    exemplo: { motivo: 'numeros_esgotados' },
  }),
  'boleto.divergente': evento({
    descricao: 'O banco registrou um boleto com outro valor ou vencimento que o pedido: ele não se mostra.',
    sai: false,
    dados: daFatura,
    exemplo,
  }),
  'boleto.a_registrar': evento({
    descricao: 'Uma pessoa mandou registrar de novo o boleto de uma fatura, que é o recurso.',
    sai: false,
    dados: campos({ cliente: id }),
    exemplo: { cliente: 12 },
  }),
  'boleto.registrado': evento({ descricao: 'O banco registrou um boleto.', sai: false, dados: daFatura, exemplo }),
  'boleto.rejeitado': evento({ descricao: 'O banco rejeitou um boleto.', sai: false, dados: daFatura, exemplo }),
  'boleto.baixado': evento({ descricao: 'O banco baixou um boleto.', sai: false, dados: daFatura, exemplo }),
  'boleto.instrucao_recusada': evento({
    descricao: 'O banco recusou o que se pediu de um boleto, que continua como estava.',
    sai: false,
    dados: campos({ fatura: id, cliente: id, movimento: { enum: ['baixa', 'vencimento', 'valor'] } }),
    exemplo: { fatura: 56, cliente: 12, movimento: 'vencimento' },
  }),
} as const;
