/** A request of a bot to the public API, and what came back. */
interface Pedido {
  readonly metodo: string;
  readonly caminho: string;
  readonly status: number;
}

/** How a bot asks: with its key, at the provider's address. */
export type Pedir = (
  metodo: 'GET' | 'POST',
  caminho: string,
  corpo?: object,
) => Promise<{ readonly status: number; readonly corpo: any }>;

/** What a bot said to whoever called, and what it asked the API for it. */
export interface Chamada {
  readonly fala: string;
  readonly pedidos: readonly Pedido[];
}

/** Who calls, as far as the telephone tells, and what is complained of. */
export interface Ligacao {
  readonly telefone?: string;
  readonly cpf_cnpj?: string;
  readonly queixa?: 'sem_internet' | 'lenta' | 'outra';
  /** What is answered where the bot asks for it. */
  readonly seuCpf?: string;
}

const reais = (valor: number): string => `R$ ${valor.toFixed(2).replace('.', ',')}`;
const dia = (data: string): string => data.split('-').toReversed().join('/');

/**
 * Answers a call as the developer of a chatbot would write it: what to say is in `/resumo`, and at most one more request does what is to be
 * done. It knows nothing of the service but its documentation.
 */
export async function atender(
  pedir: Pedir,
  { telefone, cpf_cnpj, queixa = 'outra', seuCpf }: Ligacao,
): Promise<Chamada> {
  const pedidos: Pedido[] = [];
  async function pedirE(metodo: 'GET' | 'POST', caminho: string, corpo?: object) {
    const { status, corpo: recebido } = await pedir(metodo, caminho, corpo);
    pedidos.push({ metodo, caminho, status });
    return { status, dados: recebido.dados, codigo: recebido.erro?.codigo };
  }
  const dizer = (fala: string): Chamada => ({ fala, pedidos });

  const quem = telefone === undefined ? `cpf_cnpj=${cpf_cnpj}` : `telefone=${telefone}`;
  const primeiro = await pedirE('GET', `/resumo?${quem}`);
  if (primeiro.status !== 200) return dizer('No momento não consigo consultar; vou passar a um atendente.');
  let achados: any[] = primeiro.dados;
  if (achados.length > 1 && seuCpf !== undefined) achados = (await pedirE('GET', `/resumo?cpf_cnpj=${seuCpf}`)).dados;
  if (achados.length === 0) return dizer('Não encontrei este telefone em nenhum cadastro. Qual é o seu CPF?');
  if (achados.length > 1) return dizer('Este telefone é de mais de um cadastro. Qual é o seu CPF?');
  const [
    { cliente, contratos, faturas_abertas: faturas, total_vencido: vencido, chamados_em_aberto: chamados, sugestao },
  ] = achados;
  const nome = cliente.tipo === 'pj' ? cliente.nome : cliente.nome.split(' ')[0];
  const doContrato = (como: (contrato: any) => boolean) => contratos.find(como) ?? contratos[0];

  switch (sugestao) {
    case 'aviso_de_rede': {
      const explica = ({ avisos: [aviso] }: any) => aviso !== undefined && aviso.tipo !== 'informativo';
      return dizer(`${nome}, ${doContrato(explica).avisos[0].texto}`);
    }
    case 'bloqueado_manual':
      return dizer(`${nome}, seu contrato foi bloqueado pelo provedor; vou passar a um atendente.`);
    case 'desbloqueio_disponivel': {
      const { id } = doContrato(({ desbloqueio }) => desbloqueio.disponivel);
      const feito = await pedirE('POST', `/contratos/${id}/desbloqueio-confianca`);
      if (feito.status !== 201) return dizer(`${nome}, não consegui liberar; vou passar a um atendente.`);
      const { protocolo, ate, rede } = feito.dados;
      const oQue = rede.situacao === 'aplicada' ? 'Liberado' : 'Pedi a liberação';
      return dizer(`${oQue}, ${nome}, até ${dia(ate.slice(0, 10))}. Protocolo ${protocolo}.`);
    }
    case 'bloqueado_por_fatura':
    case 'fatura_vencida': {
      const [fatura] = faturas ?? [];
      if (fatura === undefined) return dizer(`${nome}, há uma pendência financeira; vou passar a um atendente.`);
      const pix = fatura.segunda_via?.pix_copia_cola ?? null;
      const oQue = fatura.pago_parcialmente ? 'falta pagar' : 'você deve';
      return dizer(
        `${nome}, ${oQue} ${reais(fatura.valor_a_pagar)} da fatura que venceu em ${dia(fatura.vencimento)}, de ${reais(vencido)} em atraso.${pix === null ? '' : ` PIX: ${pix}`}`,
      );
    }
    case 'offline': {
      const { id, conexao_detalhe: linha } = doContrato(
        ({ conexao, situacao }) => conexao === 'offline' && situacao === 'ativo',
      );
      const aberto = chamados?.find((chamado: any) => chamado.contrato_id === id);
      if (aberto !== undefined) return dizer(`${nome}, seu chamado de protocolo ${aberto.protocolo} já está aberto.`);
      const { dados } = await pedirE('POST', '/chamados', {
        cliente_id: cliente.id,
        contrato_id: id,
        assunto: 'Sem conexão',
        descricao: `Offline desde ${linha.desde ?? 'não se sabe quando'}.`,
      });
      return dizer(`${nome}, sua conexão caiu. Abri o chamado de protocolo ${dados.protocolo}.`);
    }
    case 'chamado_em_andamento':
      return dizer(`${nome}, seu chamado de protocolo ${chamados[0].protocolo} está ${chamados[0].situacao}.`);
    default: {
      const online = contratos.find(({ conexao }: any) => conexao === 'online');
      if (queixa !== 'lenta' || online === undefined) return dizer(`${nome}, não há pendência. Em que posso ajudar?`);
      const { status, dados } = await pedirE('POST', `/contratos/${online.id}/desconectar`, { motivo: 'lentidão' });
      if (status !== 202) return dizer(`${nome}, não consegui reiniciar sua conexão; vou passar a um atendente.`);
      return dizer(`${nome}, reiniciei sua conexão. Protocolo ${dados.protocolo}.`);
    }
  }
}
