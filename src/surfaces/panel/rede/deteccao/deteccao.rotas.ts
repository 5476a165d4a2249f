import { camposDaDeteccao } from '../../../../domain/rede/configuracao/rede.service.ts';
import { html } from '../../../../kit/html/html.ts';
import { cartao } from '../../componentes/cartao.ts';
import { entrada } from '../../formulario/campos.ts';
import { EM_BRANCO, preenchido, recusado } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { formulario } from '../../formulario/formulario.ts';
import { comVersao, versaoLida } from '../../formulario/versao.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';

const ROTULOS = {
  queda_minimo: 'Linhas, no mínimo',
  queda_percentual: 'De cada cem que estavam online',
} as const;

async function tela(
  { servicos, sessao }: Pick<Chamada, 'servicos' | 'sessao'>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const campos = camposDaDeteccao(await servicos.rede.buscar(sessao.provedor.id));
  const atual = recusado(estado) ? estado : preenchido(campos);
  const numero = (nome: keyof typeof ROTULOS, dica: string, maximo: number) =>
    entrada(atual, { nome, rotulo: ROTULOS[nome], dica, teclado: 'numeric', maximo });
  return {
    titulo: 'Quedas em massa',
    menu: 'rede',
    migalhas: [
      ['Rede', '/rede'],
      ['Avisos', '/rede/avisos'],
    ],
    corpo: cartao(
      null,
      formulario({
        para: '/rede/deteccao',
        estado: atual,
        rotulos: ROTULOS,
        corpo: html`${versaoLida({ estado: atual, campos, rotulos: ROTULOS })}
          <p>
            Quando muitas linhas de um servidor, ou de uma porta dele, caem no mesmo minuto, abre-se um aviso sozinho.
            Ele se encerra quando 80 % delas voltam, ou quando a equipe o encerra; confirmado, só a equipe o encerra.
          </p>
          <div class="grade">
            ${numero('queda_minimo', 'Menos que isto não é interrupção. Vazio: 20.', 5)}
            ${numero('queda_percentual', 'Do servidor, ou da porta. Vazio: 30.', 3)}
          </div>`,
        enviar: 'Salvar',
        volta: '/rede/avisos',
      }),
    ),
  };
}

/** From when on drops that come together open a notice by themselves. */
export const DETECCAO: readonly Rota[] = [
  pagina('/rede/deteccao', {
    permissao: 'rede.gerir',
    mostrar: async (chamada) => ({ tela: await tela(chamada, EM_BRANCO) }),
  }),
  acao('/rede/deteccao', {
    permissao: 'rede.gerir',
    campos: { queda_minimo: 'apagavel', queda_percentual: 'apagavel', versao: 'texto' },
    formulario: tela,
    async fazer({ dados: digitados, ator, sessao, servicos }) {
      const { dados, lida } = comVersao(digitados);
      await servicos.rede.configurar(ator, sessao.provedor.id, dados, lida);
      return { ir: '/rede/avisos', feito: 'salvo' };
    },
  }),
];
