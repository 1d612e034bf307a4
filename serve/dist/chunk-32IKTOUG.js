import{g as m}from"./chunk-QTIVNTN2.js";import{j as e}from"./chunk-HIDFFT6Q.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
