import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao } from '../formulario/formulario.ts';
import { html } from '../../../kit/html/html.ts';
import type { DetalheDoChamado } from '../../../domain/chamados/fila/fila.types.ts';
import { parteViva } from '../ao-vivo/partes.ts';
import { naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { conversa, doCliente, fatos, mudancas } from './chamado.telas.ts';
import { composicao } from './composicao.ts';
import type { Modo } from './composicao.ts';
import { paraOCampo } from './horas.ts';

/** With what the form of a ticket begins. */
function inicial(
  modo: Modo,
  { responsavel, agendadoPara, duracaoMinutos }: DetalheDoChamado,
  sessao: Sessao,
): EstadoDoFormulario {
  if (modo === 'atribuir') return preenchido({ responsavel_id: responsavel?.id });
  if (modo !== 'agendar' || agendadoPara === null) return EM_BRANCO;
  const agendado_para = paraOCampo(sessao.provedor.fusoHorario, agendadoPara);
  return preenchido({ agendado_para, duracao_minutos: duracaoMinutos });
}

/** Parts that stay true while the page is open. */
const PARTES_VIVAS: readonly string[] = ['conversa', 'lado'];

/** The page of a ticket, with one of its forms. That the client's data were seen is noted. */
export async function telaDoChamado(
  chamada: Chamada<{ readonly id: number }>,
  modo: Modo = 'comentar',
  estado: EstadoDoFormulario | null = null,
): Promise<Tela> {
  const { dominio, sessao, parametros, parte } = chamada;
  const { id } = parametros;
  const chamado = await dominio.filaDeChamados.buscar(id);
  if (chamado === null) throw naoEncontrado();
  const acesso = { usuarioId: sessao.usuario.id, clienteId: chamado.clienteId, oQue: 'cliente' } as const;
  const [cliente, avisos, responsaveis] = await Promise.all([
    dominio.clientes.buscarPorId(chamado.clienteId),
    dominio.avisosDeRede.doCliente(chamado.clienteId),
    modo === 'atribuir' ? dominio.filaDeChamados.responsaveis() : [],
    // Phones, address and login of the client stand beside the ticket. A part that the page asks for by itself was opened before.
    PARTES_VIVAS.includes(parte) ? undefined : dominio.acessos.anotarAcesso(acesso),
  ]);
  const viva = (qual: string) =>
    parteViva({ id: qual, endereco: `/chamados/${id}`, tipos: ['chamado'], recursoId: id });
  const meu = chamado.responsavel?.id === sessao.usuario.id;
  return {
    titulo: `#${id} ${chamado.assunto}`,
    menu: 'chamados',
    migalhas: [['Chamados', '/chamados']],
    acoes:
      pode(sessao, 'chamados.atender') && !meu && chamado.fechadoEm === null
        ? botao({
            para: `/chamados/${id}/assumir`,
            texto: 'Assumir',
            classe: 'btn btn-primary',
            valores: { atualizado_em: chamado.versao.toISOString() },
          })
        : null,
    corpo: html`<div class="dois">
      <div>
        <div ${viva('conversa')}>${conversa(chamada, chamado)}</div>
        ${composicao({ sessao, chamado, modo, estado: estado ?? inicial(modo, chamado, sessao), responsaveis })}
      </div>
      <div ${viva('lado')}>
        ${doCliente(chamada, chamado, cliente, avisos)} ${fatos(chamada, chamado)} ${mudancas(chamada, chamado)}
      </div>
    </div>`,
  };
}
