import type { Chave } from '../../../domain/chaves/chaves.types.ts';
import { camposDoUsuario as lidosDoUsuario } from '../../../domain/usuarios/usuarios.service.ts';
import type { Usuario } from '../../../domain/usuarios/usuarios.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, ficha } from '../componentes/cartao.ts';
import { instante, inteiro } from '../componentes/escrita.ts';
import { tabelaDeSessoes } from '../conta/sessoes.ts';
import { EM_BRANCO, preenchido } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import { documentoNoCampo } from '../formulario/pontuacao.ts';
import { versaoLida } from '../formulario/versao.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { USUARIOS_NA_MIGALHA, alcanca, camposDoUsuario, situacao } from './telas.ts';

type NaTela = Pick<Chamada<{ readonly id: number }>, 'dominio' | 'sessao' | 'servicos' | 'agora' | 'parametros'>;

/** One user: what he is, where he is signed in, and what can be done about him. */
export async function telaDoUsuario(chamada: NaTela, estado: EstadoDoFormulario | null = null): Promise<Tela> {
  const { sessao, servicos, agora, parametros } = chamada;
  const { provedor, politica } = sessao;
  const [usuario, perfis, sessoes] = await Promise.all([
    servicos.usuarios.exigir(provedor.id, parametros.id),
    servicos.perfis.listar(provedor.id),
    servicos.sessoes.listar(provedor.id, parametros.id, politica),
  ]);
  const { id, nome, email, cpf, perfil, temFator, entrouEm } = usuario;
  const doPerfil = perfis.find((um) => um.id === perfil.id);
  const muda = doPerfil !== undefined && alcanca(sessao, doPerfil);
  const atual = estado ?? preenchido({ nome, cpf: cpf === null ? null : documentoNoCampo(cpf), perfil_id: perfil.id });
  const fuso = provedor.fusoHorario;
  return {
    titulo: nome,
    menu: 'usuarios',
    migalhas: [USUARIOS_NA_MIGALHA],
    acoes: muda ? acoes(usuario, sessoes.length) : null,
    corpo: html`${
        muda
          ? null
          : aviso('info', `O perfil ${perfil.nome} pode mais do que o seu: só quem pode tudo isso muda este usuário.`)
      }
      <div class="colunas mb-3">
        ${cartao(
          'Usuário',
          ficha([
            ['E-mail', email],
            ['Situação', situacao(usuario)],
            ['Perfil', perfil.nome],
            ['Segundo fator', temFator ? 'cadastrado' : 'nenhum'],
            ['Última entrada', instante(fuso, entrouEm) ?? 'nunca entrou'],
          ]),
        )}
        ${
          muda
            ? cartao(
                'Alterar',
                html`${formulario({
                    para: `/configuracoes/usuarios/${id}`,
                    estado: atual,
                    rotulos: { nome: 'Nome', cpf: 'CPF', perfil_id: 'Perfil' },
                    enviar: 'Salvar',
                    corpo: html`${versaoLida({
                      estado: atual,
                      campos: lidosDoUsuario(usuario),
                      rotulos: { nome: 'Nome', perfil_id: 'Perfil' },
                      dito: (campo, valor) =>
                        (campo === 'perfil_id' ? perfis.find((um) => String(um.id) === valor)?.nome : null) ?? valor,
                    })}
                    ${camposDoUsuario(
                      atual,
                      perfis.filter((um) => alcanca(sessao, um)),
                      false,
                    )}`,
                  })}
                  <p class="text-secondary mt-3 mb-0">
                    Com outro perfil, as sessões dele terminam e ele entra de novo.
                  </p>`,
              )
            : null
        }
      </div>
      ${cartao('Sessões abertas', tabelaDeSessoes({ sessoes, fuso, agora, esta: sessao.sessao.id, encerrar: null }), { rente: true })}`,
  };
}

function acoes({ id, situacao: qual, temFator }: Usuario, sessoes: number): Html {
  const base = `/configuracoes/usuarios/${id}`;
  if (qual === 'desativado') return botao({ para: `${base}/reativar`, texto: 'Reativar', classe: 'btn btn-primary' });
  const texto = qual === 'convidado' ? 'Novo link do convite' : 'Link para outra senha';
  return html`${botao({ para: `${base}/link`, texto })}
    ${sessoes === 0 ? null : botao({ para: `${base}/encerrar-sessoes`, texto: 'Encerrar sessões' })}
    ${temFator ? html`<a class="btn" href="${BASE}${base}/redefinir-fator">Redefinir segundo fator</a>` : null}
    <a class="btn btn-outline-danger" href="${BASE}${base}/desativar">Desativar</a>`;
}

interface DaConfirmacao {
  readonly oque: 'desativar' | 'redefinir-fator';
  readonly titulo: (nome: string) => string;
  readonly texto: string;
  readonly enviar: string;
}

export const DESATIVAR: DaConfirmacao = {
  oque: 'desativar',
  titulo: (nome) => `Desativar ${nome}`,
  texto:
    'As sessões do painel e do app terminam agora, e a pessoa não entra mais. O que ela fez continua no histórico. Dá para reativar depois.',
  enviar: 'Desativar',
};

export const REDEFINIR_FATOR: DaConfirmacao = {
  oque: 'redefinir-fator',
  titulo: (nome) => `Redefinir o segundo fator de ${nome}`,
  texto:
    'Todos os fatores e códigos de recuperação deixam de valer, e as sessões terminam. Até cadastrar outro, a pessoa entra só com a senha: ' +
    'faça isto somente se tiver certeza de quem pediu.',
  enviar: 'Redefinir',
};

/** Keys outlive who made them: systems use them. Whoever leaves may have kept their text. */
const chavesDela = (sessao: Sessao, chaves: readonly Chave[]): Html =>
  aviso(
    'warning',
    html`As chaves de API que ela criou continuam valendo, e o texto pode estar com ela:
    ${chaves.map(
      ({ id, nome }, n) =>
        html`${n === 0 ? '' : ', '}${
          pode(sessao, 'chaves.ver') ? html`<a href="${BASE}/configuracoes/api/${id}">${nome}</a>` : nome
        }`,
    )}.
    Renove as que outros sistemas usam e revogue as demais.`,
  );

/** Says what will happen, before it does. */
export async function telaDaConfirmacao(
  { oque, titulo, texto, enviar }: DaConfirmacao,
  { dominio, sessao, servicos, parametros: { id } }: NaTela,
  estado: EstadoDoFormulario = EM_BRANCO,
): Promise<Tela> {
  const { nome } = await servicos.usuarios.exigir(sessao.provedor.id, id);
  const chaves = oque === 'desativar' ? await servicos.chaves.vivasDe(sessao.provedor.id, id) : [];
  const { meus: chamados } = oque === 'desativar' ? await dominio.filaDeChamados.contar(id) : { meus: 0 };
  return {
    titulo: titulo(nome),
    menu: 'usuarios',
    migalhas: [USUARIOS_NA_MIGALHA, [nome, `/configuracoes/usuarios/${id}`]],
    corpo: cartao(
      null,
      html`<p>${texto}</p>
        ${
          chamados === 0
            ? null
            : aviso(
                'info',
                `${chamados === 1 ? '1 chamado aberto dela volta' : `${inteiro(chamados)} chamados abertos dela voltam`} para a fila, sem responsável. As visitas marcadas ficam na agenda.`,
              )
        }
        ${chaves.length === 0 ? null : chavesDela(sessao, chaves)}
        ${formulario({
          para: `/configuracoes/usuarios/${id}/${oque}`,
          estado,
          rotulos: {},
          corpo: html``,
          enviar,
          volta: `/configuracoes/usuarios/${id}`,
          perigoso: true,
        })}`,
    ),
  };
}
