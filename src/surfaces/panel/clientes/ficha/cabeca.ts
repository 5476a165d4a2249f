import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { abas, aviso } from '../../componentes/cartao.ts';
import type { Aba } from '../../componentes/cartao.ts';
import { dia, documento, telefone } from '../../componentes/escrita.ts';
import { icone } from '../../componentes/icone.ts';
import type { PermissaoPainel } from '../../../../domain/usuarios/permissoes.regras.ts';
import { pode } from '../../sessao.ts';
import { usaOApp } from '../app/telas.ts';
import { situacaoDoCliente } from '../palavras.ts';
import type { Cabeca } from './leitura.ts';

export const ABAS = ['resumo', 'contratos', 'faturas', 'conexao', 'chamados', 'historico'] as const;
export type NomeDaAba = (typeof ABAS)[number];

/** What one may see who opens a view beside the client itself. */
export const PERMISSAO_DA_ABA: Readonly<Partial<Record<NomeDaAba, PermissaoPainel>>> = {
  faturas: 'faturas.ver',
  conexao: 'conexao.ver',
  chamados: 'chamados.ver',
};

const comQuantos = (texto: string, n: number): string => (n === 0 ? texto : `${texto} (${n})`);

export function abasDoCliente({ sessao, cliente, chamados }: Cabeca, atual: NomeDaAba): Html {
  const textos: Readonly<Record<NomeDaAba, string>> = {
    resumo: 'Resumo',
    contratos: comQuantos('Contratos', cliente.contratos.length),
    faturas: 'Faturas',
    conexao: 'Conexão',
    chamados: comQuantos('Chamados', chamados?.total ?? 0),
    historico: 'Histórico',
  };
  const vistas = ABAS.filter((nome) => {
    const permissao = PERMISSAO_DA_ABA[nome];
    return permissao === undefined || pode(sessao, permissao);
  });
  return abas(
    'Partes do cliente',
    vistas.map((nome): Aba => ({
      texto: textos[nome],
      para: nome === 'resumo' ? `/clientes/${cliente.id}` : `/clientes/${cliente.id}?aba=${nome}`,
      atual: nome === atual,
    })),
  );
}

/** Who it is, at one glance. */
export function quemE({ sessao, cliente, acesso }: Cabeca): Html {
  const { situacao, cpfCnpj, telefones, email, nomeFantasia, criadoEm, apagadoEm, endereco } = cliente;
  const lugar = [endereco.bairro, endereco.cidade].filter((parte) => parte !== null).join(', ');
  return html`<div class="quem">
      ${situacaoDoCliente(situacao)} ${nomeFantasia === null ? null : html`<span>${nomeFantasia}</span>`}
      ${cpfCnpj === '' ? null : html`<span>${cliente.tipo === 'pf' ? 'CPF' : 'CNPJ'} ${documento(sessao, cpfCnpj)}</span>`}
      ${telefones.map((numero) => html`<span>${icone('phone')} ${telefone(numero)}</span>`)}
      ${email === null ? null : html`<a href="mailto:${email}">${email}</a>`}
      ${lugar === '' ? null : html`<span>${icone('map-pin')} ${lugar}</span>`}
      <span>app: ${usaOApp(acesso)}</span>
      <span class="text-secondary">nº ${cliente.id} · desde ${dia(sessao.provedor.fusoHorario, criadoEm)}</span>
    </div>
    ${
      apagadoEm === null
        ? null
        : aviso(
            'warning',
            `Os dados foram apagados a pedido do titular em ${dia(sessao.provedor.fusoHorario, apagadoEm)}. Fica só o que a lei manda guardar.`,
          )
    }`;
}

/** What can be done with the client, as links to where it is done. */
export function acoesDoCliente({ sessao, cliente, acesso }: Cabeca): Html {
  const { id, situacao, apagadoEm } = cliente;
  const vivo = apagadoEm === null;
  const cancelado = situacao === 'cancelado';
  const link = (pode_: boolean, para: string, texto: string): readonly Html[] =>
    pode_ ? [html`<li><a href="${BASE}${para}">${texto}</a></li>`] : [];
  const mais = [
    ...link(vivo && !cancelado && pode(sessao, 'contratos.editar'), `/contratos/novo?cliente=${id}`, 'Novo contrato'),
    ...link(vivo && pode(sessao, 'faturas.criar'), `/faturas/nova?cliente=${id}`, 'Nova fatura'),
    ...link(vivo && pode(sessao, 'nfcom.emitir'), `/clientes/${id}/nfcom`, 'Dados fiscais'),
    ...link(pode(sessao, 'faturas.ver'), `/clientes/${id}/regua`, 'Régua de cobrança'),
    ...link(pode(sessao, 'nfcom.ver'), `/nfcom?cliente=${id}`, 'Notas fiscais'),
    ...link(
      vivo && pode(sessao, 'clientes.editar'),
      `/clientes/${id}/situacao`,
      cancelado ? 'Reativar' : 'Mudar situação',
    ),
    ...link(vivo && !cancelado && pode(sessao, 'clientes.cancelar'), `/clientes/${id}/cancelar`, 'Cancelar cliente'),
    ...link(
      acesso.disponivel && pode(sessao, 'acesso.gerar'),
      `/clientes/${id}/codigo-do-app`,
      'Gerar código de acesso',
    ),
    ...link(
      acesso.sessoes > 0 && pode(sessao, 'acesso.gerar'),
      `/clientes/${id}/encerrar-app`,
      'Encerrar sessões do app',
    ),
    ...link(pode(sessao, 'auditoria.ver'), `/clientes/${id}/quem-viu`, 'Quem viu estes dados'),
    ...link(pode(sessao, 'clientes.apagar'), `/clientes/${id}/apagar`, 'Apagar dados (LGPD)'),
  ];
  return html`${
    pode(sessao, 'chamados.atender') && vivo
      ? html`<a class="btn btn-primary" href="${BASE}/chamados/novo?cliente=${id}">${icone('plus')} Novo chamado</a>`
      : null
  }
  ${
    pode(sessao, 'clientes.editar') && vivo
      ? html`<a class="btn" href="${BASE}/clientes/${id}/editar">${icone('edit')} Editar</a>`
      : null
  }
  ${
    mais.length === 0
      ? null
      : html`<details class="suspensa">
          <summary class="btn">${icone('dots')} Mais</summary>
          <ul class="achados">
            ${mais}
          </ul>
        </details>`
  }`;
}
