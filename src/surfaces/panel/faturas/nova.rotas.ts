import { opcional } from '../../../domain/campos/campos.ts';
import { id } from '../../../domain/campos/leitores.ts';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { html } from '../../../kit/html/html.ts';
import { vazio } from '../componentes/tabela.ts';
import { BASE } from '../ativos/ativos.ts';
import { entrada, escolha } from '../formulario/campos.ts';
import { EM_BRANCO, preenchido, valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota, Tela } from '../rota.ts';
import { PIX_OU_CARTEIRA, TIPO_NAO_DITO } from './termos.ts';

const ROTULOS = {
  cliente_id: 'Cliente',
  contrato_id: 'Contrato',
  descricao: 'Descrição',
  valor: 'Valor',
  vencimento: 'Vencimento',
  tipo: 'Tipo',
  linha_digitavel: 'Linha digitável',
  nosso_numero: 'Nosso número',
};

/** Whose invoice it is comes from the client's page, or from what was sent before. */
async function telaDaNova(
  chamada: Pick<Chamada, 'dominio' | 'agora' | 'sessao'>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const { dominio, agora, sessao } = chamada;
  const base = { titulo: 'Nova fatura', menu: 'faturas', migalhas: [['Faturas', '/faturas']] } as const;
  const clienteId = Number(valorDe(estado, 'cliente_id'));
  if (!Number.isSafeInteger(clienteId) || clienteId < 1) {
    return {
      ...base,
      corpo: vazio(
        'users',
        'De quem é a fatura?',
        'Abra a página do cliente e escolha Nova fatura, ou diga o número dele aqui.',
        html`<form class="filtros justify-content-center" method="get" action="${BASE}/faturas/nova">
          ${entrada(EM_BRANCO, { nome: 'cliente', rotulo: 'Número do cliente', teclado: 'numeric', obrigatorio: true })}
          <div class="campo"><button class="btn">Continuar</button></div>
        </form>`,
      ),
    };
  }
  const cliente = await dominio.clientes.buscarPorId(clienteId);
  if (cliente === null) throw naoEncontrado();
  const hoje = hojeEm(sessao.provedor.fusoHorario, agora);
  return {
    ...base,
    corpo: html`<div class="card largura-leitura">
      <div class="card-body">
        <p>Fatura avulsa de <strong>${cliente.nome}</strong>. As mensalidades não são feitas aqui.</p>
        ${formulario({
          para: '/faturas/nova',
          estado,
          rotulos: ROTULOS,
          enviar: 'Criar fatura',
          volta: `/clientes/${clienteId}`,
          corpo: html`${escondido('cliente_id', clienteId)}
            ${entrada(estado, { nome: 'descricao', rotulo: ROTULOS.descricao, maximo: 255, obrigatorio: true, dica: 'O cliente a lê: por exemplo, Visita técnica de 20/11.' })}
            <div class="grade">
              ${entrada(estado, { nome: 'valor', rotulo: ROTULOS.valor, teclado: 'decimal', obrigatorio: true, dica: 'Em reais, como 99,90.' })}
              ${entrada(estado, { nome: 'vencimento', rotulo: ROTULOS.vencimento, tipo: 'date', obrigatorio: true, mais: html`min="${hoje}"` })}
            </div>
            <div class="grade">
              ${escolha(estado, {
                nome: 'tipo',
                rotulo: ROTULOS.tipo,
                vazia: TIPO_NAO_DITO,
                opcoes: [...PIX_OU_CARTEIRA, { valor: 'boleto', texto: 'Boleto já registrado no banco' }],
              })}
              ${escolha(estado, {
                nome: 'contrato_id',
                rotulo: ROTULOS.contrato_id,
                vazia: 'Nenhum',
                opcoes: cliente.contratos.map(({ id: contrato, plano }) => ({
                  valor: String(contrato),
                  texto: `${contrato} · ${plano.nome}`,
                })),
              })}
            </div>
            <details
              ${valorDe(estado, 'linha_digitavel') === '' && valorDe(estado, 'tipo') !== 'boleto' ? null : html`open`}
            >
              <summary class="mb-2">Dados do boleto</summary>
              ${entrada(estado, { nome: 'linha_digitavel', rotulo: ROTULOS.linha_digitavel, teclado: 'numeric', maximo: 80, dica: 'Cole a do banco. Valor e vencimento dela têm de ser os daqui.' })}
              ${entrada(estado, { nome: 'nosso_numero', rotulo: ROTULOS.nosso_numero, maximo: 20 })}
            </details>`,
        })}
      </div>
    </div>`,
  };
}

export const NOVA_FATURA: readonly Rota[] = [
  pagina('/faturas/nova', {
    permissao: 'faturas.criar',
    consulta: { cliente: opcional(id), contrato: opcional(id) },
    mostrar: async (chamada) => {
      const { cliente, contrato } = chamada.consulta;
      return { tela: await telaDaNova(chamada, preenchido({ cliente_id: cliente, contrato_id: contrato })) };
    },
  }),
  acao('/faturas/nova', {
    permissao: 'faturas.criar',
    campos: {
      cliente_id: 'texto',
      contrato_id: 'texto',
      descricao: 'texto',
      valor: 'dinheiro',
      vencimento: 'data',
      tipo: 'texto',
      linha_digitavel: 'texto',
      nosso_numero: 'texto',
    },
    formulario: telaDaNova,
    async fazer({ dados, mudar }) {
      const nova = await mudar(async (_dominio, { faturas }) => faturas.criar(dados));
      return { ir: `/faturas/${nova}`, feito: 'criado' };
    },
  }),
];
