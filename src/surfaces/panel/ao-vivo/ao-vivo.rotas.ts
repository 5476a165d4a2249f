import type { TipoAoVivo } from '../../../domain/eventos/ao-vivo.regras.ts';
import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import { estadoDaSessao } from '../../../domain/usuarios/sessoes/sessoes.regras.ts';
import { recursosVisiveis } from '../notificacoes/recursos.ts';
import { EVENTOS } from './partes.ts';
import { Recusado } from '../recusas.ts';
import { pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

/** Any of these lets somebody hear that there is something new of a kind. */
const DE_CADA_TIPO: Readonly<Record<Exclude<TipoAoVivo, 'sessao' | 'notificacao'>, readonly PermissaoPainel[]>> = {
  chamado: ['chamados.ver'],
  conexao: ['conexao.ver', 'rede.ver', 'inicio.ver'],
  importacao: ['importacao.usar'],
  tarefa: ['tarefas.ver'],
};

function podeOuvir(sessao: Sessao, tipo: string): boolean {
  if (tipo === 'notificacao') return recursosVisiveis(sessao).length > 0;
  return Object.hasOwn(DE_CADA_TIPO, tipo) && pode(sessao, ...DE_CADA_TIPO[tipo as keyof typeof DE_CADA_TIPO]);
}

/** How long a page that finds too many streams open waits before it asks again, in seconds. */
const DEPOIS = 30;

export const AO_VIVO: readonly Rota[] = [
  pagina(EVENTOS, {
    permissao: null,
    mostrar: async ({ sessao, servicos, agora }) => ({
      tomar(ctx) {
        const desde = performance.now();
        const aberta = servicos.streams.open(ctx, {
          tenantId: sessao.provedor.id,
          userId: sessao.usuario.id,
          sessionId: sessao.sessao.id,
          may: (tipo) => podeOuvir(sessao, tipo),
          async holds() {
            const atual = await servicos.sessoes.buscarPorHash(sessao.sessao.hash);
            if (atual === null) return false;
            // As long as this stream is open, time passes for the session, too.
            const passou = new Date(agora.getTime() + (performance.now() - desde));
            const permissoes = [...atual.perfil.permissoes].toSorted().join();
            const asMesmas = permissoes === [...sessao.perfil.permissoes].toSorted().join();
            return asMesmas && estadoDaSessao(atual, passou) === 'pronta';
          },
        });
        if (aberta) return;
        throw new Recusado(503, 'Páginas demais abertas', 'Esta página se atualiza sozinha de tempos em tempos.', {
          'Retry-After': String(DEPOIS),
        });
      },
    }),
  }),
];
