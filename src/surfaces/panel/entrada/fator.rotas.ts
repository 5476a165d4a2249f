import { Recusa } from '../../../domain/erros.ts';
import { estadoDaSessao } from '../../../domain/usuarios/sessoes/sessoes.regras.ts';
import { html } from '../../../kit/html/html.ts';
import { comConsulta } from '../componentes/tabela.ts';
import { comecarCadastro, rotasDeCadastro } from '../fatores/cadastro.ts';
import type { Cadastro } from '../fatores/cadastro.ts';
import { lerPasskey, lugarDe } from '../fatores/passkey.ts';
import { EM_BRANCO } from '../formulario/estado.ts';
import { comoTexto } from '../formulario/leitura.ts';
import { CONSULTA_DA_VOLTA, voltaSegura } from '../pedido.ts';
import { semFator } from '../rota.ts';
import type { Chamada, Desfecho, Rota } from '../rota.ts';
import { fatorNoDialogo, telaDoFator } from './telas.ts';

const PARA = { segundo_fator: '/entrar/fator', cadastrar_fator: '/entrar/novo-fator' } as const;

/** Whoever asks for a step that is not his is led to the one that is, and from there to where he wanted to go. */
function noutroPasso(
  { sessao, agora }: Pick<Chamada, 'sessao' | 'agora'>,
  daqui: keyof typeof PARA,
  volta: string,
): Desfecho | null {
  const estado = estadoDaSessao(sessao, agora);
  if (estado === daqui) return null;
  const passo = estado === 'segundo_fator' || estado === 'cadastrar_fator' ? PARA[estado] : null;
  return { ir: passo === null ? volta : comConsulta(passo, { volta }) };
}

const CADASTRO: Cadastro = {
  base: '/entrar/novo-fator',
  depois: null,
  titulo: 'Cadastre um segundo fator',
  porque:
    'O seu perfil pode mudar coisas importantes. Por isso o painel pede, além da senha, uma segunda prova de que é você.',
};

/** What comes between the password and the panel. */
export const FATOR: readonly Rota[] = [
  semFator.pagina('/entrar/fator', {
    permissao: null,
    consulta: CONSULTA_DA_VOLTA,
    async mostrar(chamada) {
      const { sessao, servicos, consulta } = chamada;
      const volta = voltaSegura(consulta.volta ?? '');
      const outro = noutroPasso(chamada, 'segundo_fator', volta);
      if (outro !== null) return outro;
      const passkey = await servicos.sessoes.pedirPasskey(sessao, lugarDe(chamada));
      return { tela: telaDoFator(EM_BRANCO, volta, passkey) };
    },
  }),

  semFator.acao('/entrar/fator', {
    permissao: null,
    campos: { codigo: 'texto', desafio: 'texto', resposta: 'texto', volta: 'texto', de_novo: 'texto' },
    async fazer(chamada): Promise<Desfecho> {
      const { sessao, servicos, dados, deOnde } = chamada;
      const deNovo = dados['de_novo'] !== undefined;
      const volta = voltaSegura(comoTexto(dados['volta']));
      const outro = noutroPasso(chamada, 'segundo_fator', volta);
      if (outro !== null) return deNovo ? { parte: html``, gatilho: 'sessao-renovada' } : outro;
      const lugar = lugarDe(chamada);
      const dado =
        dados['desafio'] === undefined ? { codigo: comoTexto(dados['codigo']) } : { passkey: lerPasskey(dados), lugar };
      try {
        const { texto: nova } = await servicos.tentativas.prove(sessao.provedor.id, sessao.usuario.id, async () =>
          servicos.sessoes.confirmarFator(sessao, dado, deOnde),
        );
        if (deNovo) return { parte: html``, sessao: nova, gatilho: 'sessao-renovada' };
        return { ir: volta, sessao: nova };
      } catch (error) {
        if (!(error instanceof Recusa) || error.motivo === 'sessao_encerrada') throw error;
        const recusa = 'codigo' in dado ? 'O código não confere, ou já foi usado.' : 'A chave de acesso não confere.';
        const passkey = await servicos.sessoes.pedirPasskey(sessao, lugar);
        if (deNovo) return { parte: fatorNoDialogo(recusa, passkey), status: 422 };
        return { tela: telaDoFator({ ...EM_BRANCO, recusa }, volta, passkey), status: 422 };
      }
    },
  }),

  semFator.pagina('/entrar/novo-fator', {
    permissao: null,
    consulta: CONSULTA_DA_VOLTA,
    async mostrar(chamada) {
      const volta = voltaSegura(chamada.consulta.volta ?? '');
      const outro = noutroPasso(chamada, 'cadastrar_fator', volta);
      return outro ?? { tela: await comecarCadastro({ ...CADASTRO, depois: volta }, chamada) };
    },
  }),

  ...rotasDeCadastro(CADASTRO, semFator.acao, false),
];
