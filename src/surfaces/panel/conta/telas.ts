import { tiposDaEquipe } from '../../../domain/push/tipos.regras.ts';
import type { Fator } from '../../../domain/usuarios/fatores/fatores.service.ts';
import { precisaDeFator } from '../../../domain/usuarios/sessoes/sessoes.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao, ficha } from '../componentes/cartao.ts';
import { dia } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { caixa, entrada, escolha } from '../formulario/campos.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import type { Chamada, Tela } from '../rota.ts';
import { cartaoDosAvisos } from './avisos.ts';
import { tabelaDeSessoes, tabelaDoApp } from './sessoes.ts';

/** Which of the page's forms comes back with what is wrong. */
export type FormularioDaConta = 'nome' | 'senha' | 'aparencia';

const TEMAS = [
  { valor: 'sistema', texto: 'Como o sistema' },
  { valor: 'claro', texto: 'Claro' },
  { valor: 'escuro', texto: 'Escuro' },
];

const DENSIDADES = [
  { valor: 'normal', texto: 'Normal' },
  { valor: 'compacta', texto: 'Compacta: mais linhas na tela' },
];

/** All that is somebody's own. */
export async function telaDaConta(
  { sessao, servicos, dominio, agora }: Pick<Chamada, 'sessao' | 'servicos' | 'dominio' | 'agora'>,
  deQual: FormularioDaConta | null = null,
  estado: EstadoDoFormulario = EM_BRANCO,
): Promise<Tela> {
  const { usuario, provedor, perfil, politica } = sessao;
  const [fatores, sessoes, doApp, dispositivos, { chavePublica }] = await Promise.all([
    servicos.fatores.listar(provedor.id, usuario.id),
    servicos.sessoes.listar(provedor.id, usuario.id, politica),
    dominio.acessosAoApp.sessoesDe({ usuarioId: usuario.id }),
    dominio.dispositivos.listar({ usuarioId: usuario.id, sessaoId: null }),
    servicos.push.configuracao(provedor.id),
  ]);
  const doNome = deQual === 'nome' ? estado : preenchido({ nome: usuario.nome });
  const { tema, teclas, densidade } = usuario.preferencias;
  const daAparencia =
    deQual === 'aparencia'
      ? estado
      : preenchido({
          tema: typeof tema === 'string' ? tema : 'sistema',
          densidade: densidade === 'compacta' ? densidade : 'normal',
          teclas: teclas !== false,
        });
  const fuso = provedor.fusoHorario;
  return {
    titulo: 'Minha conta',
    corpo: html`<div class="colunas mb-3">
        ${cartao(
          'Quem sou',
          html`${ficha([
              ['E-mail', usuario.email],
              ['Perfil', perfil.nome],
            ])}
            <hr />
            ${formulario({
              para: '/conta/nome',
              estado: doNome,
              rotulos: { nome: 'Nome' },
              enviar: 'Salvar nome',
              corpo: entrada(doNome, {
                nome: 'nome',
                rotulo: 'Nome',
                autocomplete: 'name',
                maximo: 120,
                obrigatorio: true,
              }),
            })}`,
        )}
        ${cartao('Senha', formularioDaSenha(deQual === 'senha' ? estado : EM_BRANCO))}
        ${cartao(
          'Aparência e teclado',
          formulario({
            para: '/conta/aparencia',
            estado: daAparencia,
            rotulos: { tema: 'Tema', densidade: 'Densidade' },
            enviar: 'Salvar',
            corpo: html`${escolha(daAparencia, { nome: 'tema', rotulo: 'Tema', opcoes: TEMAS, obrigatorio: true })}
            ${escolha(daAparencia, { nome: 'densidade', rotulo: 'Densidade', opcoes: DENSIDADES, obrigatorio: true })}
            ${caixa(daAparencia, {
              nome: 'teclas',
              rotulo: 'Teclas sozinhas fazem coisas',
              dica: 'Como “g” e “c” para os clientes. Desligue se usa comandos de voz ou se atrapalham. Ctrl+K vale sempre.',
            })}`,
          }),
        )}
      </div>
      ${cartao('Segundo fator', tabelaDeFatores(fatores, fuso, precisaDeFator(perfil.permissoes, politica)), {
        rente: true,
        acoes: html`${
          fatores.length === 0 ? null : botao({ para: '/conta/codigos', texto: 'Novos códigos de recuperação' })
        }
        ${botao({ para: '/conta/novo-fator', texto: 'Acrescentar', icone: icone('plus'), classe: 'btn btn-primary' })}`,
      })}
      ${cartao(
        'Sessões abertas',
        tabelaDeSessoes({
          sessoes,
          fuso,
          agora,
          esta: sessao.sessao.id,
          encerrar: ({ id }) => `/conta/sessoes/${id}/encerrar`,
        }),
        {
          rente: true,
          acoes:
            sessoes.length > 1 ? botao({ para: '/conta/sessoes/encerrar-outras', texto: 'Encerrar as outras' }) : null,
        },
      )}
      ${cartao('Sessões no app', tabelaDoApp(doApp, fuso), { rente: true })}
      ${cartaoDosAvisos({ dispositivos, chavePublica, tipos: tiposDaEquipe(perfil.permissoes), fuso })}`,
  };
}

const formularioDaSenha = (estado: EstadoDoFormulario): Html =>
  formulario({
    para: '/conta/senha',
    estado,
    rotulos: { atual: 'Senha atual', senha: 'Senha nova' },
    enviar: 'Trocar senha',
    corpo: html`${entrada(estado, {
      nome: 'atual',
      rotulo: 'Senha atual',
      tipo: 'password',
      autocomplete: 'current-password',
      obrigatorio: true,
    })}
    ${entrada(estado, {
      nome: 'senha',
      rotulo: 'Senha nova',
      dica: 'Pelo menos 12 caracteres. As suas outras sessões são encerradas, e os avisos nos navegadores, desligados.',
      tipo: 'password',
      autocomplete: 'new-password',
      obrigatorio: true,
    })}`,
  });

function tabelaDeFatores(fatores: readonly Fator[], fuso: string, exigido: boolean): Html {
  return tabela({
    legenda: 'Seus segundos fatores',
    linhas: fatores,
    vazia: vazio(
      'shield-lock',
      'Nenhum segundo fator',
      'Com um, quem descobrir a sua senha ainda não entra. Pode ser um aplicativo de códigos ou uma chave de acesso.',
    ),
    colunas: [
      { titulo: 'Nome', principal: true, celula: ({ nome }) => nome },
      { titulo: 'Tipo', celula: ({ tipo }) => (tipo === 'totp' ? 'Aplicativo de códigos' : 'Chave de acesso') },
      { titulo: 'Desde', celula: ({ confirmadoEm }) => dia(fuso, confirmadoEm) },
      {
        titulo: 'Ações',
        celula: ({ id }) =>
          exigido && fatores.length === 1
            ? html`<span class="text-secondary">O seu perfil exige um</span>`
            : html`<div class="acoes">
                <a class="btn btn-sm" href="${BASE}/conta/fatores/${id}/remover">Remover</a>
              </div>`,
      },
    ],
  });
}

/** What is lost with a factor, before it goes. */
export const telaDaRemocao = ({ id, nome }: Fator, ultimo: boolean, estado: EstadoDoFormulario = EM_BRANCO): Tela => ({
  titulo: `Remover ${nome}`,
  migalhas: [['Minha conta', '/conta']],
  corpo: cartao(
    null,
    html`<p>
        ${
          ultimo
            ? 'É o seu último: depois disto, só a senha o protege, e os códigos de recuperação deixam de valer.'
            : 'Ele deixa de servir para entrar; os outros continuam.'
        }
      </p>
      ${formulario({
        para: `/conta/fatores/${id}/remover`,
        estado,
        rotulos: {},
        corpo: html``,
        enviar: 'Remover',
        volta: '/conta',
        perigoso: true,
      })}`,
  ),
});
