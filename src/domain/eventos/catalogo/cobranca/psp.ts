import { campos, data, evento, id, instante, nomes, quantos, semDados } from '../evento.ts';

/** What is done about charges at PSPs: for the audit log. */
export const DO_PSP = {
  'psp.configurado': evento({
    descricao: 'Configurou-se o convênio de uma conta com um PSP; quais campos, sem o que dizem.',
    sai: false,
    dados: campos({ campos: nomes }),
    exemplo: { campos: ['chave', 'client_secret'] },
  }),
  'psp.certificado_guardado': evento({
    descricao: 'Guardou-se o certificado de um convênio com um PSP.',
    sai: false,
    dados: campos({ valido_ate: instante }),
    exemplo: { valido_ate: '2027-11-20T15:00:00.000Z' },
  }),
  'psp.certificado_expirando': evento({
    descricao: 'O certificado de um convênio com um PSP acaba em tantos dias.',
    sai: false,
    dados: campos({ dias: quantos, valido_ate: instante }),
    exemplo: { dias: 15, valido_ate: '2026-12-05T15:00:00.000Z' },
  }),
  'psp.parado': evento({
    descricao: 'Há horas nada se consegue de um PSP: nem se cobra, nem se lê o que ele recebeu; por quê.',
    sai: false,
    dados: campos({ codigo: { type: 'string' } }),
    exemplo: { codigo: 'credenciais_recusadas' },
  }),
  'psp.ativado': semDados(false, 'As faturas de uma conta passaram a ser cobradas pelo PSP.'),
  'psp.desativado': semDados(false, 'As faturas de uma conta deixaram de ser cobradas pelo PSP.'),
  'psp.tentado': semDados(false, 'Pediu-se que o que o PSP recusou fosse tentado de novo.'),
  'psp.webhook_registrado': evento({
    descricao: 'O PSP recebeu um endereço para avisar os PIX; por qual receptor.',
    sai: false,
    dados: campos({ receptor: id }),
    exemplo: { receptor: 4 },
  }),
  'psp.webhook_sumiu': semDados(false, 'O PSP não tem mais o endereço para avisar os PIX.'),
  'cobrancas_pix.pedidas': evento({
    descricao: 'Acabou de se conferir, num dia, as cobranças PIX das faturas abertas.',
    sai: false,
    dados: campos({ dia: data, linhas: quantos }),
    exemplo: { dia: '2026-11-24', linhas: 310 },
  }),
  'cobranca_pix.emitida': evento({
    descricao: 'O PSP emitiu a cobrança PIX de uma fatura.',
    sai: false,
    dados: campos({ fatura: id }),
    exemplo: { fatura: 9001 },
  }),
  'cobranca_pix.removida': evento({
    descricao: 'A cobrança PIX de uma fatura foi retirada do PSP.',
    sai: false,
    dados: campos({ fatura: id }),
    exemplo: { fatura: 9001 },
  }),
} as const;
