import{t as m}from"./chunk-5PQURS2K.js";import{m as e}from"./chunk-L2SSDT5J.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
