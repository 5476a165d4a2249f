import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { lidosDoApp } from '../../../domain/provedores/app/app.types.ts';
import { lidosDaConta } from '../../../domain/push/conta/conta.regras.ts';
import { amostrasDosAvisos } from '../../../domain/push/mensagens/amostra.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao, etiqueta, ficha } from '../componentes/cartao.ts';
import { instante } from '../componentes/escrita.ts';
import { area, caixa } from '../formulario/campos.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import { versaoLida } from '../formulario/versao.ts';
import { naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';

export const CAMINHO = '/configuracoes/app';
export const FCM = `${CAMINHO}/fcm`;

type Quem = Pick<Chamada, 'servicos' | 'sessao'>;
type QuemAgora = Pick<Chamada, 'servicos' | 'sessao' | 'agora'>;
type Conta = Awaited<ReturnType<Chamada['servicos']['push']['contaFcm']>>;

const ROTULOS = {
  origens: 'Endereços do app no navegador',
  edita_cadastro: 'O assinante pode mudar seus contatos e seu endereço',
};

/** What is set of the provider's app. */
export async function telaDoAplicativo(
  { servicos, agora, sessao: { provedor } }: QuemAgora,
  estado: EstadoDoFormulario | null,
): Promise<Tela> {
  const [doApp, conta] = await Promise.all([
    servicos.configuracaoDoApp.buscar(provedor.id),
    servicos.push.contaFcm(provedor.id),
  ]);
  if (doApp === null) throw naoEncontrado();
  const atual = estado ?? preenchido({ origens: doApp.origens.join('\n'), edita_cadastro: doApp.editaCadastro });
  return {
    titulo: 'Aplicativo e push',
    menu: 'aplicativo',
    corpo: html`<div class="colunas">
        ${cartao(
          'Aplicativo',
          formulario({
            para: CAMINHO,
            estado: atual,
            rotulos: ROTULOS,
            enviar: 'Salvar',
            corpo: html`${versaoLida({
              estado: atual,
              campos: lidosDoApp(doApp),
              rotulos: ROTULOS,
              dito: (_nome, valor) => valor.replaceAll(/\s+/g, ', '),
            })}
            ${area(atual, {
              nome: 'origens',
              rotulo: ROTULOS.origens,
              dica: 'Um por linha, até 10, como https://app.seuprovedor.com.br. Só as páginas destes endereços usam a API do app de dentro de um navegador; o app do celular não precisa.',
            })}
            ${caixa(atual, {
              nome: 'edita_cadastro',
              rotulo: ROTULOS.edita_cadastro,
              dica: 'E-mail, telefones e endereço, pelo app e com a senha. O e-mail de antes é avisado.',
            })}`,
          }),
        )}
        ${cartao('Notificações no celular (FCM)', cartaoDaConta(conta, provedor.fusoHorario))}
        ${cartao('Quando o assinante é avisado', QUANDO)}
      </div>
      ${oQueSeDiz(provedor.fusoHorario, agora)}`,
  };
}

/** The hours and the limit of `domain/push/mensagens`, as whoever answers for night calls asks about them. */
const QUANDO = html`<p>
    Das 21:00 às 8:00, no horário do provedor, nada chega ao celular: o que é da noite espera até as 8:00. Por dia, são
    no máximo 5 avisos a cada assinante.
  </p>
  <p class="m-0">
    Não esperam nem contam: pagamento confirmado, contrato liberado e segurança (aparelho novo, senha ou contato
    mudado).
  </p>`;

/** One notice of each kind, with invented figures; and where somebody tries it himself. */
const oQueSeDiz = (fuso: string, agora: Date): Html =>
  cartao(
    'O que o assinante recebe',
    html`<p>
        Com valores inventados. Os avisos da rede e as mensagens levam o texto que a equipe escreve. Para ver um aviso
        chegar, ligue este aparelho em <a href="${BASE}/conta#avisos-neste-aparelho">Minha conta</a> e mande um teste.
      </p>
      ${ficha(
        amostrasDosAvisos(fuso, hojeEm(fuso, agora)).map(({ dito, titulo, texto }) => [
          dito,
          html`<strong>${titulo}</strong><br />${texto}`,
        ]),
      )}`,
  );

function cartaoDaConta(conta: Conta, fuso: string): Html {
  const trocar = botao({
    para: `${FCM}/nova`,
    texto: conta === null ? 'Definir a conta' : 'Trocar a conta',
    classe: conta === null ? 'btn btn-primary' : 'btn',
  });
  if (conta === null)
    return html`<p>
        ${etiqueta('sem conta', 'yellow')} Sem uma conta de serviço do Google, os avisos ficam só dentro do app e dos
        navegadores.
      </p>
      <div class="acoes">${trocar}</div>`;
  return html`${ficha([
      ['Projeto', conta.projeto],
      ['Desde', instante(fuso, conta.desde)],
    ])}
    <p class="text-secondary">A chave da conta está cifrada e não se mostra mais.</p>
    <div class="acoes">
      ${trocar} ${botao({ para: `${FCM}/remover`, texto: 'Remover', classe: 'btn btn-outline-danger' })}
    </div>`;
}

/** Where the account is pasted. What was pasted is never shown again, also where something is wrong with it. */
export async function telaDaConta(
  { servicos, sessao: { provedor } }: Quem,
  estado: EstadoDoFormulario = EM_BRANCO,
): Promise<Tela> {
  const conta = await servicos.push.contaFcm(provedor.id);
  return {
    titulo: conta === null ? 'Definir a conta do FCM' : 'Trocar a conta do FCM',
    menu: 'aplicativo',
    migalhas: [['Aplicativo e push', CAMINHO]],
    corpo: cartao(
      null,
      html`<ol>
          <li>No console do Firebase, abra as configurações do projeto do seu app e, nelas, “Contas de serviço”.</li>
          <li>Gere uma nova chave privada: o navegador baixa um arquivo JSON.</li>
          <li>Cole aqui o conteúdo dele, inteiro, e apague o arquivo.</li>
        </ol>
        ${formulario({
          para: FCM,
          estado,
          rotulos: { conta: 'Conta de serviço' },
          enviar: 'Salvar',
          volta: CAMINHO,
          corpo: html`${versaoLida({ estado, campos: lidosDaConta(conta), rotulos: {} })}
          ${area(estado, { nome: 'conta', rotulo: 'Conta de serviço', linhas: 8, maximo: 6000, obrigatorio: true, dica: 'Fica cifrada. Depois de salva, não se mostra mais.' })}`,
        })}`,
    ),
  };
}
