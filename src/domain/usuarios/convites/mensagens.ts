import type { Link } from './links.ts';

interface Texto {
  readonly assunto: string;
  readonly texto: string;
}
interface ComNome {
  readonly nome: string;
}

export const textoDoConvite = (provedor: ComNome, { nome }: ComNome, { url }: Link): Texto => ({
  assunto: `Seu acesso ao painel de ${provedor.nome}`,
  texto: `Olá, ${nome}.

${provedor.nome} convidou você para o painel. Escolha a sua senha em até 72 horas:

${url}

O link serve uma só vez. Se você não esperava este convite, ignore esta mensagem.
`,
});

export const textoDaSenha = (provedor: ComNome, { nome }: ComNome, { url }: Link): Texto => ({
  assunto: `Senha nova do painel de ${provedor.nome}`,
  texto: `Olá, ${nome}.

Pediram uma senha nova para o seu acesso ao painel de ${provedor.nome}. Escolha-a em até 30 minutos:

${url}

O link serve uma só vez. Se não foi você, ignore esta mensagem: a sua senha continua a mesma.
`,
});
