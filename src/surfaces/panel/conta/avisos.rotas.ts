import { tiposDaEquipe } from '../../../domain/push/tipos.regras.ts';
import type { DonoDoDispositivo } from '../../../domain/push/push.types.ts';
import { naoEncontrado } from '../recusas.ts';
import { acao, pagina } from '../rota.ts';
import type { Chamada, Rota } from '../rota.ts';
import type { Sessao } from '../sessao.ts';
import { aparelhoDe } from './aparelho.ts';
import { CAMINHO_DOS_AVISOS, telaDoAviso } from './avisos.ts';

/** Whoever has signed in, in a browser at the panel. */
const eu = ({ usuario }: Sessao): DonoDoDispositivo => ({ usuarioId: usuario.id, sessaoId: null });

async function exigir({ dominio, sessao }: Pick<Chamada, 'dominio' | 'sessao'>, id: number) {
  const um = await dominio.dispositivos.buscar(eu(sessao), id);
  if (um === null) throw naoEncontrado();
  return um;
}

/** On which devices somebody is told things, and of what. */
export const AVISOS: readonly Rota[] = [
  acao(CAMINHO_DOS_AVISOS, {
    permissao: null,
    campos: { endpoint: 'texto', 'chaves.p256dh': 'texto', 'chaves.auth': 'texto' },
    async fazer({ sessao, dados, agente, mudar }) {
      const este = { ...dados, tipo: 'webpush', plataforma: 'web', versao: aparelhoDe(agente) };
      await mudar(async (_dominio, { dispositivos }) => dispositivos.registrar(eu(sessao), este));
      return { ir: '/conta', feito: 'avisos_ligados' };
    },
  }),

  pagina(`${CAMINHO_DOS_AVISOS}/{id}`, {
    permissao: null,
    async mostrar(chamada) {
      const um = await exigir(chamada, chamada.parametros.id);
      return { tela: telaDoAviso(um, tiposDaEquipe(chamada.sessao.perfil.permissoes)) };
    },
  }),
  acao(`${CAMINHO_DOS_AVISOS}/{id}`, {
    permissao: null,
    campos: { avisar: 'lista' },
    async fazer({ sessao, dados, parametros: { id }, mudar }) {
      const avisar: readonly unknown[] = Array.isArray(dados['avisar']) ? dados['avisar'] : [];
      const mostrados = tiposDaEquipe(sessao.perfil.permissoes).map(({ nome }) => nome);
      await mudar(async (dominio, { dispositivos }) => {
        const { silenciados: antes } = await exigir({ dominio, sessao }, id);
        // What he may not be told of now stays as he had it.
        const silenciados = [
          ...antes.filter((nome) => !mostrados.includes(nome)),
          ...mostrados.filter((nome) => !avisar.includes(nome)),
        ];
        await dispositivos.alterar(eu(sessao), id, { silenciados });
      });
      return { ir: '/conta', feito: 'salvo' };
    },
  }),
  acao(`${CAMINHO_DOS_AVISOS}/{id}/testar`, {
    permissao: null,
    async fazer({ sessao, parametros: { id }, mudar }) {
      const { fusoHorario } = sessao.provedor;
      await mudar(async (_dominio, { dispositivos }) => dispositivos.testar(eu(sessao), id, fusoHorario));
      return { ir: '/conta', feito: 'teste_enviado' };
    },
  }),
  acao(`${CAMINHO_DOS_AVISOS}/{id}/remover`, {
    permissao: null,
    async fazer({ sessao, parametros: { id }, mudar }) {
      await mudar(async (_dominio, { dispositivos }) => dispositivos.remover(eu(sessao), id));
      return { ir: '/conta', feito: 'removido' };
    },
  }),
];
