interface DeQue {
  readonly provedorId: number;
  readonly cliente: number;
  readonly fatura: number;
  readonly agora: string;
}

/** What was received of an invoice, taken off it and agreed about it: a row of each, by the addresses of `Povoado`. */
export async function povoarRecebimentos(
  em: (tabela: string, colunas: object) => Promise<number>,
  { provedorId, cliente, fatura, agora }: DeQue,
): Promise<Readonly<Record<string, number>>> {
  const pix = await em('pix_recebidos', {
    end_to_end_id: `E${provedorId}`.padEnd(32, '0'),
    valor: '99.90',
    pago_em: agora,
    criado_em: agora,
  });
  const cobrador = await em('cobradores', { nome: 'Banco dos boletos', padrao: 0 });
  const boleto = await em('boletos_recebidos', {
    cobrador_id: cobrador,
    chave: `001 1 1 06 2026-11-20 9990 ${provedorId}`,
    nosso_numero: '1',
    valor: '99.90',
    pago_no_dia: '2026-11-20',
    pago_em: agora,
    linha: 2,
    criado_em: agora,
  });
  const manual = await em('recebimentos_manuais', {
    fatura_id: fatura,
    forma: 'dinheiro',
    valor: '1.00',
    pago_em: agora,
    autor: 'x',
    criado_em: agora,
  });
  const ajuste = await em('faturas_ajustes', {
    fatura_id: fatura,
    tipo: 'desconto',
    valor: '1.00',
    dado_em: agora,
    autor: 'x',
    criado_em: agora,
  });
  const acordo = await em('renegociacoes', {
    cliente_id: cliente,
    devido: '99.90',
    desconto: '0.00',
    autor: 'x',
    criada_em: agora,
  });
  const devolucao = await em('devolucoes_pedidas', {
    meio: 'pix',
    pix_id: pix,
    devolucao: 'a'.repeat(32),
    valor: '1.00',
    situacao: 'pedida',
    autor: 'x',
    pedida_em: agora,
  });
  return {
    'conciliacao/pix': pix,
    'conciliacao/boleto': boleto,
    'conciliacao/manual': manual,
    'conciliacao/devolucoes': devolucao,
    'faturas/recebimentos': manual,
    'faturas/ajustes': ajuste,
    renegociacoes: acordo,
  };
}
