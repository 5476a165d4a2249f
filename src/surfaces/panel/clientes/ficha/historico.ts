import type { PaginaDaAuditoria } from '../../../../domain/auditoria/auditoria.service.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { cartao } from '../../componentes/cartao.ts';
import { instante } from '../../componentes/escrita.ts';
import { comConsulta, paginas, tabela, vazio } from '../../componentes/tabela.ts';
import type { Cabeca } from './leitura.ts';

/** What was done to a registration, in words; what is not here is named as the audit log has it. */
const DITAS: Readonly<Record<string, string>> = {
  'cliente.criado': 'Cadastrado',
  'cliente.pre_cadastrado': 'Cadastrou-se por um convite',
  'cliente.atualizado': 'Alterado',
  'cliente.cancelado': 'Cancelado',
  'cliente.apagado': 'Dados apagados a pedido do titular',
};

const CAMPOS: Readonly<Record<string, string>> = {
  cpf_cnpj: 'CPF ou CNPJ',
  nome_fantasia: 'nome fantasia',
  email: 'e-mail',
  data_nascimento: 'data de nascimento',
  situacao: 'situação',
  endereco: 'endereço',
  codigo_externo: 'código externo',
};

/** Who did what to the registration, and when; never what stood there. */
export function historicoDoCliente({ sessao, cliente }: Cabeca, { itens, proxima }: PaginaDaAuditoria): Html {
  const { fusoHorario: fuso } = sessao.provedor;
  return cartao(
    null,
    html`${tabela({
      legenda: 'Histórico do cadastro',
      linhas: itens,
      vazia: vazio('history', 'Nada anotado', 'Aqui fica o que se fez neste cadastro: quem, o quê e quando.'),
      colunas: [
        { titulo: 'Quando', celula: ({ em }) => instante(fuso, em) },
        { titulo: 'O que', principal: true, celula: ({ acao }) => DITAS[acao] ?? acao },
        { titulo: 'Campos', celula: ({ campos }) => campos.map((campo) => CAMPOS[campo] ?? campo).join(', ') },
        { titulo: 'Quem', celula: ({ quem }) => quem.nome },
      ],
    })}
    ${paginas({
      total: null,
      anterior: null,
      proxima: proxima === null ? null : comConsulta(`/clientes/${cliente.id}`, { aba: 'historico', antes: proxima }),
    })}`,
    { rente: true },
  );
}
