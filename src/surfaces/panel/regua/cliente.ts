import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { escreverData } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { caixa, entrada, escolha } from '../formulario/campos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import { naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { tabelaDePassos } from './passos.ts';
import type { PausaDaRegua } from '../../../domain/regua/leitura.service.ts';

const ROTULOS = {
  contrato: 'O que pausar',
  motivo: 'Motivo',
  ate: 'Até o dia',
  so_bloqueio: 'Só não bloquear nem rescindir: as mensagens seguem',
};

const tabelaDePausas = (sessao: Sessao, pausas: readonly PausaDaRegua[]): Html =>
  tabela({
    legenda: 'Pausas da régua',
    linhas: pausas,
    vazia: vazio('circle-check', 'Sem pausa', 'A régua anda para este cliente como para os outros.'),
    colunas: [
      {
        titulo: 'De quê',
        principal: true,
        celula: ({ contratoId }) => (contratoId === null ? 'Tudo do cliente' : `Contrato ${contratoId}`),
      },
      { titulo: 'O quê', celula: ({ soBloqueio }) => (soBloqueio ? 'Só bloqueio e rescisão' : 'Tudo') },
      { titulo: 'Até', celula: ({ ate }) => (ate === null ? 'que alguém retome' : escreverData(ate)) },
      { titulo: 'Motivo', celula: ({ motivo }) => motivo },
      { titulo: 'Quem', celula: ({ autor }) => autor },
      {
        titulo: 'Ação',
        celula: ({ id }) =>
          pode(sessao, 'cobranca.editar', 'faturas.baixar')
            ? botao({ para: `/regua/pausas/${id}/retomar`, texto: 'Retomar', classe: 'btn btn-sm' })
            : null,
      },
    ],
  });

/** A client on the ladder: what was said and done, and whether it stands still. */
export async function telaDoCliente(
  { dominio, sessao, parametros: { id } }: Pick<Chamada<{ readonly id: number }>, 'dominio' | 'sessao' | 'parametros'>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const cliente = await dominio.clientes.buscarPorId(id);
  if (cliente === null) throw naoEncontrado();
  const [passos, pausas] = await Promise.all([dominio.regua.doCliente(id), dominio.regua.pausas(id)]);
  const contratos = cliente.contratos.map((contrato) => ({
    valor: String(contrato.id),
    texto: `Contrato ${contrato.id}`,
  }));
  return {
    titulo: `Régua de cobrança: ${cliente.nome}`,
    menu: 'clientes',
    migalhas: [
      ['Clientes', '/clientes'],
      [cliente.nome, `/clientes/${id}`],
    ],
    acoes: html`<a class="btn" href="${BASE}/clientes/${id}">Cliente</a>`,
    corpo: html`${cartao('Pausas', tabelaDePausas(sessao, pausas), { rente: true })}
    ${
      pode(sessao, 'cobranca.editar', 'faturas.baixar')
        ? cartao(
            'Pausar',
            formulario({
              para: `/clientes/${id}/regua`,
              estado,
              rotulos: ROTULOS,
              enviar: 'Pausar',
              corpo: html`<div class="grade">
                  ${escolha(estado, { nome: 'contrato', rotulo: ROTULOS.contrato, opcoes: contratos, vazia: 'Tudo do cliente' })}
                  ${entrada(estado, { nome: 'ate', rotulo: ROTULOS.ate, tipo: 'date', dica: 'Vazio: até que alguém retome.' })}
                </div>
                ${entrada(estado, { nome: 'motivo', rotulo: ROTULOS.motivo, obrigatorio: true, maximo: 500 })}
                ${caixa(estado, { nome: 'so_bloqueio', rotulo: ROTULOS.so_bloqueio })}`,
            }),
          )
        : null
    }
    ${cartao('O que a régua disse e fez', tabelaDePassos(sessao, passos, null), { rente: true })}`,
  };
}
