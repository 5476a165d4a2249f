interface Texto {
  readonly assunto: string;
  readonly texto: string;
}
interface ComNome {
  readonly nome: string;
}

const FIM = 'Se foi você, não precisa fazer nada. Se não foi, fale com o seu provedor pelos telefones de sempre.';

export const textoDoCodigo = ({ nome }: ComNome, codigo: string): Texto => ({
  assunto: `Código de acesso ao app de ${nome}`,
  texto: `Olá.

Pediram um código para entrar no app de ${nome}. Digite-o no app em até 15 minutos:

${codigo}

O código serve uma só vez. Não o diga a ninguém: nem o provedor pergunta por ele. Se não foi você, ignore esta mensagem.
`,
});

const aviso = (assunto: string, oque: string): Texto => ({ assunto, texto: `Olá.\n\n${oque}\n\n${FIM}\n` });

export const textoDaSenha = ({ nome }: ComNome): Texto =>
  aviso(`Senha do app de ${nome}`, `A senha do seu acesso ao app de ${nome} foi escolhida ou trocada.`);

export const textoDosContatos = ({ nome }: ComNome, campos: readonly string[]): Texto =>
  aviso(`Seu cadastro em ${nome}`, `No seu cadastro em ${nome} mudou: ${campos.join(' e ')}.`);

export const textoDoReuso = ({ nome }: ComNome): Texto =>
  aviso(
    `Sessão do app de ${nome} encerrada`,
    `Uma sessão sua no app de ${nome} foi encerrada, porque alguém pode ter copiado o acesso do seu aparelho. Entre de novo, e troque a senha.`,
  );
