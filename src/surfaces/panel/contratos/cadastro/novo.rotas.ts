import { opcional } from '../../../../domain/campos/campos.ts';
import { id as umId } from '../../../../domain/campos/leitores.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao, ficha } from '../../componentes/cartao.ts';
import { icone } from '../../componentes/icone.ts';
import { entrada } from '../../formulario/campos.ts';
import { EM_BRANCO, preenchido, valorDe } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { escondido, formulario } from '../../formulario/formulario.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Desfecho, Rota, Tela } from '../../rota.ts';
import { exigirDesconto } from '../apoio.ts';
import {
  DO_ENDERECO,
  ROTULOS,
  campoDoPlano,
  campoDoValor,
  camposDaCobranca,
  camposDaRede,
  camposDoEndereco,
  enderecoPreenchido,
  planosAVenda,
} from './campos.ts';

const CONSULTA = { cliente: opcional(umId) } as const;
type Novo = Chamada<unknown, { readonly cliente: number | undefined }>;

const migalhas = [['Contratos', '/contratos']] as const;

/** A login with its password, which nobody is shown again. */
export function telaDoAcesso(id: number, login: string | null, senha: string): Tela {
  return {
    titulo: `Acesso do contrato ${id}`,
    menu: 'contratos',
    migalhas,
    corpo: cartao(
      'Anote a senha agora',
      html`${aviso('warning', 'A senha não será mostrada outra vez. Se for perdida, digite outra no contrato.')}
        ${ficha([
          ['Login', html`<span class="segredo" id="login-novo">${login}</span>`],
          ['Senha', html`<span class="segredo" id="senha-nova">${senha}</span>`],
        ])}
        <div class="acoes mt-3">
          <button class="btn" type="button" data-copia="senha-nova">${icone('copy')} Copiar senha</button>
          <a class="btn btn-primary" href="${BASE}/contratos/${id}">Ir para o contrato</a>
        </div>`,
    ),
  };
}

/** Whose the contract shall be; asked where nobody has said. */
function semCliente(numero: number | undefined): Tela {
  const estado = numero === undefined ? EM_BRANCO : preenchido({ cliente: numero });
  return {
    titulo: 'Novo contrato',
    menu: 'contratos',
    migalhas,
    corpo: cartao(
      null,
      html`${numero === undefined ? null : aviso('warning', `Não há cliente de número ${numero}.`)}
        <p>De quem é o contrato? Procure o cliente na caixa de busca e comece por ele, ou digite o número.</p>
        <form class="filtros" method="get" action="${BASE}/contratos/novo">
          ${entrada(estado, { nome: 'cliente', rotulo: ROTULOS.cliente_id, teclado: 'numeric', obrigatorio: true })}
          <div class="campo acoes">
            <button class="btn btn-primary">Continuar</button>
            <a class="btn" href="${BASE}/clientes">Ver clientes</a>
          </div>
        </form>`,
    ),
  };
}

const parte = (titulo: string, corpo: Html): Html =>
  html`<h2 class="fs-3 mt-3">${titulo}</h2>
    ${corpo}`;

async function telaDoNovo({ dominio, consulta, sessao }: Novo, estado: EstadoDoFormulario): Promise<Tela> {
  const digitado = Number(valorDe(estado, 'cliente_id'));
  const numero = consulta.cliente ?? (Number.isSafeInteger(digitado) && digitado > 0 ? digitado : undefined);
  const cliente = numero === undefined ? null : await dominio.clientes.buscarPorId(numero);
  if (cliente === null) return semCliente(numero);
  const inicio =
    estado === EM_BRANCO
      ? preenchido({ tipo_conexao: 'pppoe', tipo_cobranca: 'pos_pago', ...enderecoPreenchido(cliente.endereco) })
      : estado;
  return {
    titulo: 'Novo contrato',
    menu: 'contratos',
    migalhas: [
      ['Clientes', '/clientes'],
      [cliente.nome, `/clientes/${cliente.id}`],
    ],
    corpo: html`<div class="card largura-leitura">
      <div class="card-body">
        <p>
          Para <strong>${cliente.nome}</strong>. O contrato nasce pendente: o login só entra na rede quando for ativado.
        </p>
        ${formulario({
          para: '/contratos/novo',
          estado: inicio,
          rotulos: ROTULOS,
          enviar: 'Criar contrato',
          volta: `/clientes/${cliente.id}`,
          corpo: html`${escondido('cliente_id', cliente.id)}
          ${parte(
            'Plano e cobrança',
            html`${campoDoPlano(inicio, await planosAVenda(dominio))} ${await camposDaCobranca(inicio, dominio, sessao)}
            ${campoDoValor(inicio, sessao, 'Em branco, o do plano.')}`,
          )}
          ${parte('Endereço de instalação', camposDoEndereco(inicio))}
          ${parte('Rede', camposDaRede(inicio, { novo: true }))}
          ${entrada(inicio, { nome: 'codigo_externo', rotulo: ROTULOS.codigo_externo, maximo: 80, dica: 'O nome dele em outro sistema.' })}`,
        })}
      </div>
    </div>`,
  };
}

export const NOVO: readonly Rota[] = [
  pagina('/contratos/novo', {
    permissao: 'contratos.editar',
    consulta: CONSULTA,
    mostrar: async (chamada) => ({ tela: await telaDoNovo(chamada, EM_BRANCO) }),
  }),
  acao('/contratos/novo', {
    permissao: 'contratos.editar',
    consulta: CONSULTA,
    campos: {
      cliente_id: 'texto',
      plano_id: 'texto',
      dia_vencimento: 'texto',
      tipo_cobranca: 'texto',
      valor: 'dinheiro',
      tipo_conexao: 'texto',
      login: 'texto',
      senha: 'segredo',
      mac: 'texto',
      ip: 'texto',
      ipv6_prefixo: 'texto',
      cobrador_id: 'texto',
      codigo_externo: 'texto',
      ...DO_ENDERECO,
    },
    formulario: telaDoNovo,
    async fazer({ dados, sessao, mudar }): Promise<Desfecho> {
      exigirDesconto(sessao, dados);
      const { id, login, senha } = await mudar(async (_dominio, { contratos }) => contratos.criar(dados));
      // One that was typed is known already.
      if (senha !== null && dados['senha'] === undefined) return { tela: telaDoAcesso(id, login, senha) };
      return { ir: `/contratos/${id}`, feito: 'criado' };
    },
  }),
];
