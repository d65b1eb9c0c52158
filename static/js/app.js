import { Again } from "askweb/controllers/again.js";
import { ChangeAnswer } from "askweb/controllers/change_answer.js";
import { Composer } from "askweb/controllers/composer.js";
import { Copy } from "askweb/controllers/copy.js";
import { Drawer } from "askweb/controllers/drawer.js";
import { Earlier } from "askweb/controllers/earlier.js";
import { Edit } from "askweb/controllers/edit.js";
import { Editing } from "askweb/controllers/editing.js";
import { Importing } from "askweb/controllers/importing.js";
import { Listing } from "askweb/controllers/listing.js";
import { Menu } from "askweb/controllers/menu.js";
import { Moment } from "askweb/controllers/moment.js";
import { Peek } from "askweb/controllers/peek.js";
import { QuestionAlerts } from "askweb/controllers/question_alerts.js";
import { Reloaded } from "askweb/controllers/reloaded.js";
import { Rename } from "askweb/controllers/rename.js";
import { Scroller } from "askweb/controllers/scroller.js";
import { SignOut } from "askweb/controllers/sign_out.js";
import { TemplateEditor } from "askweb/controllers/template_editor.js";
import { ToolPreview } from "askweb/controllers/tool_preview.js";
import { startControllers } from "askweb/controllers.js";
import { ChatMessage } from "askweb/elements/chat_message.js";
import { ConnectionStatus } from "askweb/elements/connection_status.js";
import { ConversationList } from "askweb/elements/conversation_list.js";
import { LiveTranscript } from "askweb/elements/live_transcript.js";
import { QuestionDock } from "askweb/elements/question_dock.js";
import { QuestionPanel } from "askweb/elements/question_panel.js";
import { startFormulas } from "askweb/formulas.js";
import { startAlerts } from "askweb/questions/alerts.js";
import { QuestionCards } from "askweb/questions/question_cards.js";
import { socket } from "askweb/socket.js";
import { startWideBlocks } from "askweb/wide_blocks.js";

customElements.define("askweb-question-cards", QuestionCards);
customElements.define("chat-message", ChatMessage);
customElements.define("connection-status", ConnectionStatus);
customElements.define("conversation-list", ConversationList);
customElements.define("live-transcript", LiveTranscript);
customElements.define("question-dock", QuestionDock);
customElements.define("question-panel", QuestionPanel);

startControllers({
  again: Again,
  "change-answer": ChangeAnswer,
  composer: Composer,
  copy: Copy,
  drawer: Drawer,
  earlier: Earlier,
  edit: Edit,
  editing: Editing,
  importing: Importing,
  listing: Listing,
  menu: Menu,
  moment: Moment,
  peek: Peek,
  "question-alerts": QuestionAlerts,
  reloaded: Reloaded,
  rename: Rename,
  scroller: Scroller,
  "sign-out": SignOut,
  "template-editor": TemplateEditor,
  "tool-preview": ToolPreview,
});

startAlerts(socket);
startFormulas();
startWideBlocks();
socket.open();
